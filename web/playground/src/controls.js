// Keyboard, mouse, touch and gamepad, as one input: where to go, where to look, whether to jump.

const WALK = { ArrowUp: [0, 1], KeyW: [0, 1], ArrowDown: [0, -1], KeyS: [0, -1], ArrowLeft: [-1, 0], KeyA: [-1, 0], ArrowRight: [1, 0], KeyD: [1, 0] };
const DEAD = 0.15;

export class Controls {
  constructor(canvas) {
    this.canvas = canvas;
    this.keys = new Set();
    this.touch = [0, 0];
    this.isJumpTouched = false;
    this.yaw = Math.PI;
    this.pitch = -0.2;
    this.wheel = 1;
    /** Keys that were pressed since the last frame, by their codes. */
    this.pressed = [];
    addEventListener('keydown', (event) => this.key(event));
    addEventListener('keyup', ({ code }) => this.keys.delete(code));
    addEventListener('blur', () => this.keys.clear());
    canvas.addEventListener('click', () => {
      if (document.body.dataset.mode === 'walk' && matchMedia('(pointer: fine)').matches) canvas.requestPointerLock?.()?.catch?.(() => {});
    });
    addEventListener('mousemove', (event) => {
      if (document.pointerLockElement === canvas) this.turn(event.movementX, event.movementY, 0.0025);
    });
    canvas.addEventListener('wheel', (event) => {
      event.preventDefault();
      this.wheel = Math.min(4, Math.max(0.3, this.wheel * Math.exp(event.deltaY * 0.001)));
    }, { passive: false });
    let dragged = null;
    canvas.addEventListener('pointerdown', (event) => {
      dragged = { x: event.clientX, y: event.clientY, id: event.pointerId };
    });
    addEventListener('pointermove', (event) => {
      if (dragged?.id !== event.pointerId || document.pointerLockElement === canvas) return;
      if (document.body.dataset.mode === 'walk') this.turn(event.clientX - dragged.x, event.clientY - dragged.y, 0.006);
      dragged.x = event.clientX;
      dragged.y = event.clientY;
    });
    addEventListener('pointerup', () => {
      dragged = null;
    });
    this.listenToStick();
  }

  key(event) {
    const isField = event.target instanceof HTMLElement && event.target.closest('input, select, textarea, summary');
    const isButton = event.target instanceof HTMLElement && event.target.closest('button');
    if (isField || event.ctrlKey || event.metaKey || event.altKey) return;
    // Space and Enter press the button that has the focus.
    if (isButton && (event.code === 'Space' || event.code === 'Enter')) return;
    if (event.code === 'Space' || event.code.startsWith('Arrow') || event.code === 'Backspace') event.preventDefault();
    if (!event.repeat) this.pressed.push(event.code);
    this.keys.add(event.code);
  }

  turn(x, y, by) {
    this.yaw -= x * by;
    this.pitch = Math.min(1.4, Math.max(-1.4, this.pitch - y * by));
  }

  listenToStick() {
    const stick = document.getElementById('stick');
    const knob = stick.firstElementChild;
    const move = (event) => {
      const box = stick.getBoundingClientRect();
      let [x, y] = [event.clientX - box.left - 60, event.clientY - box.top - 60];
      const far = Math.hypot(x, y) / 50;
      if (far > 1) [x, y] = [x / far, y / far];
      this.touch = [x / 50, -y / 50];
      knob.style.transform = `translate(${x}px, ${y}px)`;
    };
    stick.addEventListener('pointerdown', (event) => {
      stick.setPointerCapture(event.pointerId);
      move(event);
    });
    stick.addEventListener('pointermove', (event) => {
      if (stick.hasPointerCapture(event.pointerId)) move(event);
    });
    for (const end of ['pointerup', 'pointercancel']) {
      stick.addEventListener(end, () => {
        this.touch = [0, 0];
        knob.style.transform = '';
      });
    }
    const jump = document.getElementById('jump');
    jump.addEventListener('pointerdown', () => {
      this.isJumpTouched = true;
    });
    for (const end of ['pointerup', 'pointercancel', 'pointerleave']) {
      jump.addEventListener(end, () => {
        this.isJumpTouched = false;
      });
    }
  }

  /** Once a frame: turns by keys and sticks. */
  update(seconds) {
    const pad = navigator.getGamepads?.().find((one) => one?.connected) ?? null;
    const axis = (i) => (pad && Math.abs(pad.axes[i] ?? 0) > DEAD ? pad.axes[i] : 0);
    this.pad = { x: axis(0), y: -axis(1), jump: pad?.buttons[0]?.pressed ?? false };
    const keys = Number(this.keys.has('KeyE')) - Number(this.keys.has('KeyQ'));
    this.yaw -= (2.2 * keys + 3 * axis(2)) * seconds;
    this.pitch = Math.min(1.4, Math.max(-1.4, this.pitch - 2 * axis(3) * seconds));
  }

  /** Where to go: x to the right, y ahead, of length 1 at most. */
  move() {
    let [x, y] = this.touch;
    for (const [code, [right, ahead]] of Object.entries(WALK)) {
      if (this.keys.has(code)) {
        x += right;
        y += ahead;
      }
    }
    x += this.pad?.x ?? 0;
    y += this.pad?.y ?? 0;
    const length = Math.hypot(x, y);
    return length > 1 ? [x / length, y / length] : [x, y];
  }

  get jumps() {
    return this.keys.has('Space') || this.isJumpTouched || (this.pad?.jump ?? false);
  }

  take() {
    return this.pressed.splice(0);
  }
}
