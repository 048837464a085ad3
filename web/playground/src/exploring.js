// Exploring: a Worker walks, the page paints what it reached, lists what is wrong, and shows how one gets there.
import { explore } from 'carom/explore';
import { zipSync } from 'fflate';
import { download, say, showError } from './messages.js';

const COLORS = { FALL_OUT: 0xff5a4d, STUCK: 0xff9f43, TRAP: 0xffc048, START_OVERLAP: 0xd66bff, SNAG: 0xffe66d, UNREACHED: 0x6b8cff };
const element = (id) => document.getElementById(id);

export class Exploring {
  constructor(stage, panel) {
    this.stage = stage;
    this.panel = panel;
    this.result = null;
    this.played = null;
    element('start').addEventListener('click', () => this.start());
    element('finish').addEventListener('click', () => this.early?.abort());
    element('cancel').addEventListener('click', () => this.cancel());
    element('save-json').addEventListener('click', () => this.save('report.json', 'application/json'));
    element('save-html').addEventListener('click', () => this.save('report.html', 'text/html'));
    element('save-zip').addEventListener('click', () => this.saveAll());
  }

  setLevel(level) {
    this.level = level;
    this.clear();
    element('explore-state').textContent = '';
  }

  clear() {
    this.result = null;
    this.played = null;
    this.stage.clearFloor();
    this.stage.clearMarks();
    for (const image of element('findings').querySelectorAll('img')) URL.revokeObjectURL(image.src);
    element('findings').replaceChildren();
    element('downloads').hidden = true;
    element('progress').value = 0;
  }

  async start() {
    this.cancel();
    this.clear();
    // Events of an exploration that was replaced change nothing.
    const [abort, early, level] = [new AbortController(), new AbortController(), this.level];
    this.abort = abort;
    this.early = early;
    this.running(true);
    const onProgress = (progress) => {
      if (this.abort === abort) this.progress(progress);
    };
    try {
      const rules = this.panel.rules();
      const result = await explore(level.mesh, rules, { onProgress, signal: abort.signal, finishEarly: early.signal });
      if (this.abort === abort) this.done(result);
    } catch (error) {
      if (this.abort !== abort) return;
      if (error.name === 'AbortError') element('explore-state').textContent = 'Canceled.';
      else {
        element('explore-state').textContent = '';
        showError(error);
      }
    }
    if (this.abort === abort) this.running(false);
  }

  cancel() {
    this.abort?.abort();
  }

  running(is) {
    element('start').disabled = is;
    element('finish').disabled = !is;
    element('cancel').disabled = !is;
    if (is) element('explore-state').textContent = 'Looking for floor and spawns …';
  }

  progress(state) {
    if (state.judging) {
      element('finish').disabled = true;
      element('explore-state').textContent = 'Judging the findings: checking doubtful places again …';
      return;
    }
    const { newPlaces, cell, halfHeight, alarms, done, places, expected, area, seconds } = state;
    this.stage.paintFloor(newPlaces, cell, halfHeight);
    for (let i = 0; i < alarms.length; i += 4) {
      const at = { x: alarms[i + 1], y: alarms[i + 2], z: alarms[i + 3] };
      if (this.stage.marks.children.length < 500) this.stage.mark(at, alarms[i] === 0 ? COLORS.FALL_OUT : COLORS.SNAG, 0.15);
    }
    element('progress').value = done / Math.max(expected, places, 1);
    const rate = Math.round(area / Math.max(seconds, 1e-9));
    element('explore-state').textContent = `${done.toLocaleString('en')} places walked of about ${Math.max(expected, places).toLocaleString('en')}, ${Math.round(area)} m², ${rate} m² a second`;
  }

  done(result) {
    this.result = result;
    const { report } = result;
    this.stage.clearMarks();
    element('progress').value = 1;
    const listed = report.findings.filter((finding) => !finding.folded);
    const { reached_m2: reached, walkable_m2: walkable } = report.coverage;
    const share = walkable > 0 ? ((100 * reached) / walkable).toFixed(1) : '0';
    const count = listed.length === 0 ? 'Nothing is wrong' : listed.length === 1 ? '1 finding' : `${listed.length} findings`;
    const part = report.complete ? '' : ' Stopped before the end: what was not walked is not judged.';
    const warnings = report.warnings.map((warning) => ` ${warning.message}.`).join('');
    element('explore-state').textContent = `${count}. ${Math.round(reached)} of ${Math.round(walkable)} m² reached (${share} %), in ${report.cost.seconds.toFixed(1)} s.${part}${warnings}`;
    report.findings.forEach((finding, number) => {
      const [x, y, z] = finding.position;
      this.stage.mark({ x, y, z }, COLORS[finding.code]);
      if (!finding.folded) element('findings').append(this.entry(finding, number));
    });
    element('downloads').hidden = false;
  }

  entry(finding, number) {
    const item = document.createElement('li');
    const button = document.createElement('button');
    const picture = this.result.files.get(finding.picture);
    if (picture) {
      const image = new Image();
      image.alt = '';
      image.src = URL.createObjectURL(new Blob([picture], { type: 'image/png' }));
      button.append(image);
    }
    const title = Object.assign(document.createElement('b'), { className: finding.severity, textContent: finding.code });
    const text = document.createElement('small');
    const way = finding.seconds === undefined ? '' : `, ${finding.seconds.toFixed(1)} s from the spawn`;
    text.textContent = `${finding.meaning} (${finding.position.map((x) => x.toFixed(1)).join(', ')}${way})`;
    button.append(title, text);
    button.addEventListener('click', () => this.show(number));
    item.append(button);
    return item;
  }

  /** Flies to a finding and plays the way there. */
  show(number) {
    const finding = this.result.report.findings[number];
    const way = this.result.ways[number];
    if (this.line) this.stage.marks.remove(this.line);
    this.line = way.length > 3 ? this.stage.line(way, COLORS[finding.code]) : null;
    const [x, y, z] = finding.position;
    const { camera } = this.stage;
    const to = { x: x + 5, y: y + 5.5, z: z + 6 };
    const from = camera.position.clone();
    const look = this.stage.target.clone();
    this.played = { way, at: 0, flown: this.stage.isStill ? 1 : 0, from, look, to, goal: { x, y, z }, dt: this.result.report.settings.dt };
    this.stage.showHero(this.panel.shape());
    say(`${finding.code}: ${finding.meaning}`);
  }

  enter() {
    this.stage.showBalls(null);
    this.stage.hero.visible = false;
    this.played = null;
  }

  leave() {
    this.played = null;
  }

  frame(seconds) {
    const { played, stage } = this;
    if (!played) {
      stage.orbit(seconds);
      return;
    }
    const { way, from, look, to, goal, dt } = played;
    played.flown = Math.min(1, played.flown + seconds / 1.2);
    const t = played.flown * played.flown * (3 - 2 * played.flown);
    const mix = (a, b) => a + (b - a) * t;
    stage.camera.position.set(mix(from.x, to.x), mix(from.y, to.y), mix(from.z, to.z));
    stage.target.set(mix(look.x, goal.x), mix(look.y, goal.y), mix(look.z, goal.z));
    stage.camera.lookAt(stage.target);
    const last = way.length / 3 - 1;
    if (last < 0) return;
    // The end of a long way is what one came for: it begins 8 seconds before.
    if (played.at === 0) played.at = Math.max(0, last - 8 / dt);
    played.at += seconds / dt;
    if (played.at > last + 1.5 / dt) played.at = Math.max(0, last - 8 / dt);
    const i = 3 * Math.min(last, Math.floor(played.at));
    stage.hero.visible = true;
    stage.placeHero({ x: way[i], y: way[i + 1], z: way[i + 2] }, 0);
  }

  save(name, type) {
    download(name, this.result.files.get(name), type);
  }

  saveAll() {
    download('report.zip', zipSync(Object.fromEntries(this.result.files), { level: 1 }), 'application/zip');
  }
}
