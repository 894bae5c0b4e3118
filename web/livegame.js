// livegame: the page of one running game: its moves, clocks, curve and faults.
import {h, clear} from './dom.js';
import {Chart} from './chart.js';
import {FAULT_LABELS, faultSummary} from './ending.js';
import {Evaluator} from './evaluator.js';
import {follow} from './follow.js';
import {LiveBoard, overText} from './liveboard.js';
import {Missing} from './server.js';
import {judgedWords} from './tables.js';
import {momentOf} from './tournaments.js';

const NODES = 15000;
const CLOCK_MS = 250;

export class GamePage {
  constructor(place, tournament, info, number) {
    Object.assign(this, {place, info, number});
    this.evaluator = tournament.isRecorded ? null : new Evaluator(info.name, NODES);
    this.notice = h('p', {class: 'notice', role: 'status'});
    this.stage = h('section', {class: 'stage', 'aria-label': 'Board'});
    this.panel = h('aside', {class: 'panel'});
    clear(place, this.notice, h('div', {class: 'learn live-game'}, this.stage, this.panel));
    this.follower = follow(tournament, this);
    this.timer = setInterval(() => this.tick(), CLOCK_MS);
    this.onKey = (event) => this.key(event);
    addEventListener('keydown', this.onKey);
  }

  begin(tournament) {
    const running = tournament.running.find(({game}) => game === this.number);
    this.tournament = tournament;
    this.live = null;
    if (running) {
      const since = momentOf(tournament, running.at_ms);
      this.start(running.start, since);
      running.plies.forEach((line) => this.live.add(line, since));
    } else {
      this.showQuiet();
    }
  }

  // What there is to see of a game that is not running.
  showQuiet() {
    const {games, names, id, name} = this.tournament;
    const {black, white, status, result, score, reason} = games[this.number - 1] || {};
    if (!status) throw new Missing(`There is no game ${this.number}.`);
    const isOver = status === 'played' || status === 'annulled';
    this.stage.hidden = true;
    clear(this.panel, h('h1', {class: 'panel-title'}, `Game ${this.number}: ${names.get(black)} – ${names.get(white)}`),
      h('p', {}, isOver ? `This game is over. ${overText(this.info.name, `${result} ${score.join('-')} ${reason}`)}${judgedWords(games[this.number - 1])}. ` : status === 'cancelled' ? 'This game is not played.' : 'This game has not begun. The page shows it when it does.',
        isOver ? h('a', {href: `#/learn/tournament/${id}/${this.number}`}, 'Replay it') : null),
      h('p', {}, h('a', {href: `#/watch/${id}`}, name || 'Tournament')));
  }

  start(start, since) {
    const {tournament} = this;
    const evaluate = (position, onValue) => this.evaluator?.ask(position, onValue);
    this.live = new LiveBoard(this.info, tournament, {game: this.number, start, since, isSmall: false, evaluate, onLost: () => this.follower.restartSoon(), onChange: () => this.showSoon()});
    const {names, el} = this.live;
    this.status = h('p', {class: 'status', role: 'status'});
    this.chart = null;
    this.curve = h('div', {});
    this.faults = h('div', {});
    this.moves = h('ol', {class: 'moves', 'aria-label': 'Moves', tabindex: '0'});
    this.back = h('button', {type: 'button', hidden: true, onclick: () => this.view(null)}, 'Back to the last move');
    this.others = h('p', {class: 'soft'});
    const step = (label, words, by) => h('button', {type: 'button', 'aria-label': words, onclick: () => this.step(by)}, label);
    this.stage.hidden = false;
    clear(this.stage, el, h('div', {class: 'steps'}, step('«', 'To the start', -Infinity), step('‹', 'One move back', -1), step('›', 'One move on', 1), step('»', 'To the last move', Infinity), this.back));
    clear(this.panel, h('header', {}, h('h1', {class: 'panel-title'}, `Game ${this.number}`), h('p', {class: 'soft names'}, `${names.black} (Black) against ${names.white} (White)`)),
      this.status, this.curve, this.faults, this.moves, this.others);
    this.showOthers();
    this.draw();
  }

  // Many moves may arrive at once.
  showSoon() {
    this.drawing ||= requestAnimationFrame(() => {
      this.drawing = 0;
      if (!this.isClosed && this.live) this.draw();
    });
  }

  draw() {
    const {plies, viewed, isOver, ending, turn, names} = this.live;
    const {side, move} = plies[viewed - 1] || {};
    const past = move ? `Move ${viewed} of ${plies.length}: ${names[side]} played ${move}` : `The start, before move 1 of ${plies.length}`;
    const text = viewed !== null ? past : isOver ? ending || '' : `Move ${plies.length + 1}: ${names[turn]} to move`;
    if (this.status.dataset.text !== text) {
      this.status.dataset.text = text;
      clear(this.status, text, viewed === null && isOver && ending ? [' ', h('a', {href: `#/learn/tournament/${this.tournament.id}/${this.number}`}, 'Replay it')] : null);
    }
    this.back.hidden = viewed === null;
    this.drawChart(plies, viewed ?? plies.length);
    clear(this.faults, faultSummary(this.info.name, plies).map(({words: [before, after], first}) => h('p', {class: 'fault-summary'}, `${before} `,
      h('button', {type: 'button', onclick: () => this.view(first)}, `move ${first}`), `${after}.`)));
    this.listMoves(plies, viewed ?? plies.length);
  }

  // A curve of one point is nothing to look at.
  drawChart(plies, now) {
    const values = [this.live.startValue, ...plies.map(({value}) => value)];
    if (values.filter((value) => value !== undefined).length < 2) return;
    if (!this.chart) {
      this.chart = new Chart(this.info.name, [], (ply) => this.view(ply));
      this.curve.append(this.chart.el);
    }
    this.chart.sides = plies.map(({side}) => side);
    this.chart.show(values, {}, now);
  }

  listMoves(plies, now) {
    for (const {move, fault, ms} of plies.slice(this.moves.children.length)) {
      const number = this.moves.children.length + 1;
      this.moves.append(h('li', {}, h('button', {type: 'button', title: ms ? `${(ms / 1000).toFixed(2)} s` : null, onclick: () => this.view(number)}, move),
        fault ? [' ', h('span', {class: 'fault'}, FAULT_LABELS[fault])] : null));
    }
    [...this.moves.children].forEach((item, at) => item.classList.toggle('is-now', at === now - 1));
    const item = this.moves.children[now - 1];
    if (item) this.moves.scrollTop = item.offsetTop - this.moves.offsetTop - this.moves.clientHeight / 2;
  }

  // number: of a ply; null: the last one.
  view(number) {
    this.live?.view(number === this.live.plies.length ? null : number);
    if (this.live) this.draw();
  }

  step(by) {
    const last = this.live.plies.length;
    this.view(Math.min(Math.max((this.live.viewed ?? last) + by, 0), last));
  }

  key(event) {
    const by = {ArrowLeft: -1, ArrowRight: 1, Home: -Infinity, End: Infinity}[event.key];
    if (!by || !this.live || event.ctrlKey || event.altKey || event.metaKey || event.target.closest?.('dialog, .grid')) return;
    event.preventDefault();
    this.step(by);
  }

  show(tournament) {
    this.tournament = tournament;
    if (this.live) this.showOthers();
    else this.showQuiet();
  }

  showOthers() {
    const {running, games, names, id, name} = this.tournament;
    const others = running.filter(({game}) => game !== this.number).map(({game}) => games[game - 1]).filter(Boolean);
    clear(this.others, others.length ? 'Also running: ' : '', others.map(({number, black, white}) => [h('a', {href: `#/watch/${id}/game/${number}`}, `${names.get(black)} – ${names.get(white)}`), ', ']),
      h('a', {href: `#/watch/${id}`}, others.length ? 'all games' : name || 'Tournament'));
  }

  showNotice(notice) { this.notice.textContent = notice; }

  tick() {
    if (this.live && this.tournament.attended && this.follower.isConnected) this.live.tick();
  }

  receive({kind, game, text, at_ms: at}) {
    const since = momentOf(this.tournament, at);
    if (game !== this.number) return;
    if (kind === 'start') this.start(text, since);
    else if (kind === 'ply') this.live?.add(text, since);
    else if (kind === 'over') this.live?.end(text);
  }

  close() {
    this.isClosed = true;
    clearInterval(this.timer);
    removeEventListener('keydown', this.onKey);
    this.follower.close();
    this.evaluator?.close();
  }
}
