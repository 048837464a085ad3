// The body of the game: sliders and presets.
import { Shape } from 'carom';
import { presets } from 'carom/explore';

const SLIDERS = [
  ['width', 'Width', 0.2, 2, 0.05, 'm'],
  ['height', 'Height', 0.4, 4, 0.05, 'm'],
  ['speed', 'Speed', 0.5, 20, 0.1, 'm/s'],
  ['jump', 'Jump', 0, 15, 0.1, 'm/s'],
  ['stepHeight', 'Step', 0, 1.5, 0.05, 'm'],
  ['slope', 'Slope', 0, 90, 1, '°'],
  ['gravity', 'Gravity', 0, 40, 0.1, 'm/s²'],
];
const USUAL = { width: 0.8, height: 1.8, speed: 5, jump: 4, stepHeight: 0.4, slope: 45, gravity: 9.81 };

export class Panel {
  constructor() {
    this.onChange = () => {};
    this.values = { ...USUAL };
    this.preset = null;
    this.inputs = new Map();
    const list = document.getElementById('sliders');
    for (const [key, label, min, max, step, unit] of SLIDERS) {
      const row = document.createElement('label');
      const name = Object.assign(document.createElement('span'), { textContent: `${label}, ${unit}` });
      const input = Object.assign(document.createElement('input'), { type: 'range', id: `s-${key}`, min, max, step });
      const output = document.createElement('output');
      row.append(name, input, output);
      list.append(row);
      this.inputs.set(key, { input, output });
      input.addEventListener('input', () => {
        this.values[key] = Number(input.value);
        // Another size is another body: an ellipsoid again.
        if (key === 'width' || key === 'height') this.preset = null;
        this.draw();
        this.onChange(key);
      });
    }
    const select = document.getElementById('preset');
    for (const preset of presets) select.append(new Option(preset.name, preset.name));
    select.addEventListener('change', () => this.choose(select.value));
    this.draw();
  }

  choose(name) {
    const preset = presets.find((one) => one.name === name) ?? null;
    this.preset = preset;
    if (preset) {
      const [a, b] = preset.size;
      const height = preset.kind === 'capsule' ? 2 * (a + b) : 2 * b;
      const { speed, jump, gravity, stepHeight, maxSlope: slope } = preset;
      this.values = { width: 2 * a, height, speed, jump, stepHeight, slope, gravity };
    } else {
      this.values = { ...USUAL };
    }
    document.getElementById('preset').value = preset?.name ?? '';
    this.draw();
    this.onChange('preset');
  }

  draw() {
    for (const [key, { input, output }] of this.inputs) {
      input.value = this.values[key];
      output.textContent = String(Math.round(this.values[key] * 100) / 100);
    }
    if (!this.preset) document.getElementById('preset').value = '';
  }

  get airControl() {
    return this.preset?.airControl ?? 1;
  }

  get airSteps() {
    return this.preset?.airSteps ?? false;
  }

  shape() {
    const { preset, values } = this;
    if (preset) {
      const [a, b, c] = preset.size;
      if (preset.kind === 'capsule') return Shape.capsule(a, b);
      if (preset.kind === 'cuboid') return Shape.cuboid({ x: a, y: b, z: c });
    }
    return Shape.ellipsoid({ x: values.width / 2, y: values.height / 2, z: values.width / 2 });
  }

  settings() {
    const { stepHeight, slope, gravity } = this.values;
    return { stepHeight, maxSlopeDegrees: slope, gravity, airControl: this.airControl, airSteps: this.airSteps };
  }

  /** For `explore`. */
  rules() {
    const { speed, jump } = this.values;
    return { shape: this.shape(), speed, jump, ...this.settings() };
  }

  /** Whether all is as the command has it unless it is given. */
  get isUsual() {
    return !this.preset && Object.keys(USUAL).every((key) => this.values[key] === USUAL[key]);
  }
}
