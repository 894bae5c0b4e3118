// chart: who stood better, move by move.
import {svg} from './dom.js';
import {worth} from './opinion.js';

const WIDTH = 600;
const HEIGHT = 150;
const MARGIN = 8;

const yOf = (value) => HEIGHT / 2 - value * (HEIGHT / 2 - MARGIN);

// values: Black's score after each ply, from the start on; undefined where it is not known yet.
// faults: {ply: 'blunder' or 'mistake'}. onChoose(ply).
export class Chart {
  constructor(game, plies, onChoose) {
    this.game = game;
    this.plies = plies;
    this.el = svg('svg', {class: 'chart', viewBox: `0 0 ${WIDTH} ${HEIGHT}`, role: 'img', 'aria-label': 'Who stood better, move by move'});
    const choose = (event) => {
      if (event.type === 'pointermove' && !event.buttons) return;
      const box = this.el.getBoundingClientRect();
      const x = (event.clientX - box.left) / box.width * WIDTH;
      onChoose(Math.min(Math.max(Math.round((x - MARGIN) / this.step()), 0), this.plies));
    };
    this.el.addEventListener('pointerdown', choose);
    this.el.addEventListener('pointermove', choose);
  }

  step() { return (WIDTH - 2 * MARGIN) / Math.max(this.plies, 1); }

  show(values, faults, now) {
    const x = (ply) => MARGIN + ply * this.step();
    const known = values.map((value, ply) => [x(ply), value]).filter(([, value]) => value !== undefined)
      .map(([at, value]) => [at, yOf(worth(this.game, value))]);
    const line = known.map(([at, y]) => `${at.toFixed(1)} ${y.toFixed(1)}`).join('L');
    const middle = HEIGHT / 2;
    const parts = [svg('line', {class: 'zero', x1: 0, x2: WIDTH, y1: middle, y2: middle})];
    if (known.length) {
      const area = `M${known[0][0]} ${middle}L${line}L${known.at(-1)[0]} ${middle}z`;
      parts.push(svg('clipPath', {id: 'above'}, svg('rect', {width: WIDTH, height: middle})),
        svg('clipPath', {id: 'below'}, svg('rect', {y: middle, width: WIDTH, height: middle})),
        svg('path', {class: 'area-black', d: area, 'clip-path': 'url(#above)'}), svg('path', {class: 'area-white', d: area, 'clip-path': 'url(#below)'}),
        svg('path', {class: 'curve', d: `M${line}`}));
    }
    for (const [ply, kind] of Object.entries(faults)) {
      if (values[ply] !== undefined) parts.push(svg('circle', {class: kind, cx: x(Number(ply)), cy: yOf(worth(this.game, values[ply])), r: kind === 'blunder' ? 5.5 : 4}));
    }
    parts.push(svg('line', {class: 'now', x1: x(now), x2: x(now), y1: 0, y2: HEIGHT}),
      svg('text', {x: 6, y: 14}, 'Black'), svg('text', {x: 6, y: HEIGHT - 6}, 'White'));
    this.el.replaceChildren(...parts);
  }
}
