// chart: the evaluation of a game, move by move.
import {svg} from './dom.js';
import {worth} from './opinion.js';

const HEIGHT = 160;
const MARGIN = 9;
const LABEL = 20; // above and below, where nothing else is drawn
const ROOM = LABEL + 7;
const MIDDLE = HEIGHT / 2;
const RADII = {blunder: 6, mistake: 5};

const WIDEST_GAP = 2; // in plies: often only one of two programs reports scores

const yOf = (value) => MIDDLE - value * (MIDDLE - ROOM);

// The plies in runs that are drawn as one curve each: what is not known yet stays empty.
export function runsOf(plies) {
  const runs = [];
  for (const ply of plies) {
    if (ply - (runs.at(-1)?.at(-1) ?? -Infinity) > WIDEST_GAP) runs.push([]);
    runs.at(-1).push(ply);
  }
  return runs;
}

export class Chart {
  // sides: the side that moved at each ply. onChoose(ply).
  constructor(game, sides, onChoose) {
    this.game = game;
    this.sides = sides;
    this.width = 600;
    this.el = svg('svg', {class: 'chart', role: 'img', 'aria-label': 'Score, move by move'});
    const choose = (event) => {
      if (event.type === 'pointermove' && !event.buttons) return;
      const x = event.clientX - this.el.getBoundingClientRect().left;
      onChoose(Math.min(Math.max(Math.round((x - MARGIN) / this.step()), 0), this.sides.length));
    };
    this.el.addEventListener('pointerdown', choose);
    this.el.addEventListener('pointermove', choose);
    new ResizeObserver(() => this.fit()).observe(this.el);
  }

  step() { return (this.width - 2 * MARGIN) / Math.max(this.sides.length, 1); }

  // Drawn in the page's own pixels, so that letters and dots are as large on a phone.
  fit() {
    if (!this.el.clientWidth || this.el.clientWidth === this.width) return;
    this.width = this.el.clientWidth;
    if (this.shown) this.show(...this.shown);
  }

  // values: Black's score after each ply, from the start on; undefined where it is not known yet.
  // faults: {ply: 'blunder' or 'mistake'}.
  show(values, faults, now) {
    this.shown = [values, faults, now];
    const x = (ply) => MARGIN + ply * this.step();
    const y = (ply) => yOf(worth(this.game, values[ply]));
    const known = [...values.keys()].filter((ply) => values[ply] !== undefined);
    const parts = [svg('line', {class: 'zero', x1: 0, x2: this.width, y1: MIDDLE, y2: MIDDLE})];
    if (known.length) parts.push(...this.curve(runsOf(known).map((run) => run.map((ply) => [x(ply), y(ply)]))));
    for (const [ply, kind] of Object.entries(faults)) {
      if (values[ply] !== undefined) parts.push(this.dot(kind, this.sides[ply - 1], x(Number(ply)), y(ply)));
    }
    parts.push(svg('line', {class: 'now', x1: x(now), x2: x(now), y1: LABEL, y2: HEIGHT - LABEL}),
      svg('text', {x: MARGIN, y: 15}, 'Black better'), svg('text', {x: MARGIN, y: HEIGHT - 7}, 'White better'));
    this.el.replaceChildren(...parts);
  }

  curve(runs) {
    const lines = runs.map((points) => points.map(([x, y]) => `${x.toFixed(1)} ${y.toFixed(1)}`).join('L'));
    const area = runs.map((points, at) => `M${points[0][0]} ${MIDDLE}L${lines[at]}L${points.at(-1)[0]} ${MIDDLE}z`).join('');
    return [svg('clipPath', {id: 'above'}, svg('rect', {width: this.width, height: MIDDLE})),
      svg('clipPath', {id: 'below'}, svg('rect', {y: MIDDLE, width: this.width, height: MIDDLE})),
      svg('path', {class: 'area-black', d: area, 'clip-path': 'url(#above)'}), svg('path', {class: 'area-white', d: area, 'clip-path': 'url(#below)'}),
      svg('path', {class: 'curve', d: lines.map((line) => `M${line}`).join('')})];
  }

  // The core of a dot has the colour of the side that made the mistake.
  dot(kind, side, cx, cy) {
    return svg('g', {class: kind}, svg('circle', {cx, cy, r: RADII[kind]}), svg('circle', {class: side, cx, cy, r: RADII[kind] / 2}));
  }
}
