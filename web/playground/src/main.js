// The page: loads the module, then the level, then whatever one wants to do in it.
import { init } from 'carom';
import { Balls } from './balls.js';
import { Controls } from './controls.js';
import { Exploring } from './exploring.js';
import { LevelPanel } from './level.js';
import { Panel } from './panel.js';
import { say, showError } from './messages.js';
import { Stage } from './stage.js';
import { Walk } from './walk.js';

const element = (id) => document.getElementById(id);

async function start() {
  const canvas = element('view');
  if (!hasWebGL()) {
    throw new Error('This page draws with WebGL 2, which this browser does not have or has turned off. The command carom needs neither.');
  }
  await init();
  const stage = new Stage(canvas);
  const controls = new Controls(canvas);
  const panel = new Panel();
  const walk = new Walk(stage, controls, panel);
  const exploring = new Exploring(stage, panel);
  const balls = new Balls(stage, canvas);
  const modes = { walk, explore: exploring, balls };
  let mode = 'walk';

  function enter(next) {
    modes[mode].leave?.();
    mode = next;
    document.body.dataset.mode = next;
    for (const tab of document.querySelectorAll('[role=tab]')) tab.setAttribute('aria-selected', tab.dataset.mode === next);
    for (const part of document.querySelectorAll('#panel section')) part.hidden = !part.dataset.for.split(' ').includes(next);
    modes[next].enter?.();
    say('');
  }
  for (const tab of document.querySelectorAll('[role=tab]')) tab.addEventListener('click', () => enter(tab.dataset.mode));
  const toggle = element('toggle');
  const fold = (closed) => {
    element('panel').classList.toggle('closed', closed);
    document.body.classList.toggle('panel-closed', closed);
    toggle.setAttribute('aria-expanded', String(!closed));
  };
  toggle.addEventListener('click', () => fold(toggle.getAttribute('aria-expanded') === 'true'));
  if (matchMedia('(max-width: 720px)').matches) fold(true);

  const levels = new LevelPanel((level) => {
    exploring.cancel();
    stage.showLevel(level);
    walk.setLevel(level);
    exploring.setLevel(level);
  });
  panel.onChange = () => walk.applyPanel();
  await levels.openBuiltIn('courtyard');
  enter('walk');

  let last = performance.now();
  const frame = (now) => {
    const seconds = Math.min(0.1, (now - last) / 1000);
    last = now;
    try {
      modes[mode].frame(seconds);
      stage.render();
    } catch (error) {
      showError(error);
    }
    requestAnimationFrame(frame);
  };
  requestAnimationFrame(frame);
  // For tests, and for those who like to look behind the page.
  window.playground = { stage, walk, exploring, balls, levels, panel, enter, get mode() { return mode; } };
}

function hasWebGL() {
  try {
    return document.createElement('canvas').getContext('webgl2') !== null;
  } catch {
    return false;
  }
}

start().catch((error) => {
  document.body.classList.add('failed');
  showError(error);
});
