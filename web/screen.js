// screen: what the big screen shows next to the boards: results, the games to come, and standings that are turned like pages where they
// do not fit.
import {h, clear} from './dom.js';
import {lastResults, nextGames} from './tables.js';

const PAGE_MS = 8000;
const ROWS_PX = 230; // of the screen's height, for each line of a list

export class Screen {
  // table: the element that contains the standings.
  constructor(table) {
    this.table = table;
    this.first = 0;
    this.turnedAt = performance.now();
    this.results = h('ul', {});
    this.next = h('ul', {});
    this.parts = [[this.results, 'Last results'], [this.next, 'Next']].map(([list, title]) => h('section', {}, h('h2', {}, title), list));
    this.el = h('div', {class: 'screen-lists'}, this.parts);
  }

  show(tournament) {
    const count = Math.max(Math.floor(innerHeight / ROWS_PX), 2);
    clear(this.results, lastResults(tournament, count));
    clear(this.next, nextGames(tournament, count));
    for (const part of this.parts) part.hidden = !part.querySelector('li');
    this.fit();
  }

  rows() { return [...this.table.querySelectorAll('tbody tr')]; }

  // Only rows that are completely visible are shown, from `first` on. The number of the next one; 0: there is none.
  fit() {
    const rows = this.rows();
    rows.forEach((row, at) => { row.hidden = at < this.first; });
    const {bottom} = this.table.getBoundingClientRect();
    const cut = rows.findIndex((row, at) => at > this.first && row.getBoundingClientRect().bottom > bottom + 1);
    if (cut > 0) rows.slice(cut).forEach((row) => { row.hidden = true; });
    return Math.max(cut, 0);
  }

  tick() {
    if (performance.now() - this.turnedAt < PAGE_MS) return;
    this.turnedAt = performance.now();
    this.first = this.fit();
    this.fit();
  }
}
