// Levels: built in, opened or dropped, and how they are read.
import { Mesh } from 'carom';
import { machines } from './machines.js';
import { hideError, painted, say, showError } from './messages.js';

const LEVELS = /\.(glb|gltf|obj|stl|ply|bsp|map)$/i;
/** These say themselves what is up, and how long 1 is. */
const KNOWN = /\.(glb|gltf|bsp|map)$/i;
const element = (id) => document.getElementById(id);

export class LevelPanel {
  /** `use` takes `{ mesh, name, file, movers, options, yaw }`. */
  constructor(use) {
    this.use = use;
    this.level = null;
    this.opened = null;
    element('files').addEventListener('change', ({ target }) => {
      this.openFiles([...target.files]);
      target.value = '';
    });
    element('built-in').addEventListener('change', ({ target }) => this.openBuiltIn(target.value));
    for (const id of ['up', 'scale', 'flip']) element(id).addEventListener('change', () => this.readAgain());
    const page = document.body;
    addEventListener('dragover', (event) => {
      event.preventDefault();
      page.classList.add('dropping');
    });
    addEventListener('dragleave', ({ relatedTarget }) => relatedTarget ?? page.classList.remove('dropping'));
    addEventListener('drop', (event) => {
      event.preventDefault();
      page.classList.remove('dropping');
      this.openFiles([...event.dataTransfer.files]);
    });
  }

  async openBuiltIn(name) {
    await this.tryTo('the courtyard', async () => {
      const isWhole = name === 'machines';
      const mesh = await Mesh.builtIn(isWhole ? 'courtyard-whole' : 'courtyard');
      element('reading').hidden = true;
      this.opened = null;
      element('built-in').value = name;
      this.show({ mesh, name: 'courtyard', file: null, movers: isWhole ? machines() : [], options: {}, yaw: isWhole ? 0 : Math.PI });
    });
  }

  async openFiles(files) {
    const level = files.find((file) => LEVELS.test(file.name));
    const name = level?.name ?? files[0]?.name;
    if (!name) return;
    await this.tryTo(name, async () => {
      if (!level) throw new Error(`${name} is no level: use .glb, .gltf, .obj, .stl, .ply, .bsp or .map.`);
      const beside = {};
      for (const file of files) if (file !== level) beside[file.name] = await file.arrayBuffer();
      const bytes = new Uint8Array(await level.arrayBuffer());
      await this.openBytes(bytes, name, beside);
    });
  }

  /** A level from its bytes: read as its format has it, or as it looks. */
  async openBytes(bytes, name, beside = {}) {
    const given = { files: beside };
    let mesh = await Mesh.fromFile(bytes, name, given);
    let said = 'As its format defines it.';
    let options = { ...mesh.frame(), flip: false };
    if (!KNOWN.test(name)) {
      const guess = mesh.guess();
      options = { up: guess.up, scale: guess.scale, flip: guess.insideOut };
      said = `Guessed from the shape: ${guess.up} is up, 1 is ${guess.scale} m, triangles face ${guess.insideOut ? 'inside out' : 'the right way'}. Correct it if it is wrong.`;
      if (guess.up !== 'y' || guess.scale !== 1 || guess.insideOut) {
        mesh.dispose();
        mesh = await Mesh.fromFile(bytes, name, { ...given, ...options });
      }
    }
    this.opened = { bytes, name, beside };
    element('reading').hidden = false;
    element('built-in').selectedIndex = -1;
    element('up').value = options.up;
    element('scale').value = options.scale;
    element('flip').checked = options.flip;
    element('guess').textContent = said;
    this.show({ mesh, name, file: name, movers: [], options });
  }

  /** The same file, as the fields have it now. */
  async readAgain() {
    const { opened } = this;
    if (!opened) return;
    await this.tryTo(opened.name, async () => {
      const options = { up: element('up').value, scale: Number(element('scale').value), flip: element('flip').checked };
      const mesh = await Mesh.fromFile(opened.bytes, opened.name, { files: opened.beside, ...options });
      element('guess').textContent = 'As you have it.';
      this.show({ mesh, name: opened.name, file: opened.name, movers: [], options });
    });
  }

  show(level) {
    const old = this.level;
    this.use(level);
    this.level = level;
    old?.mesh.dispose();
    const count = level.mesh.triangleCount.toLocaleString('en');
    element('level-name').textContent = `${level.name}: ${count} ${count === '1' ? 'triangle' : 'triangles'}`;
  }

  async tryTo(name, open) {
    hideError();
    say(`Reading ${name} …`);
    await painted();
    try {
      await open();
      say('');
    } catch (error) {
      say('');
      showError(error);
    }
  }
}
