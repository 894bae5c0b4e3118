// liveboard: the board of one running game. Its moves arrive one by one and are shown one by one.
import {h} from './dom.js';
import {ask} from './engine.js';
import {Board, pieceOf, readCells} from './board.js';
import {OUTCOME_OF, causeText, outcomeText, scoreWords} from './ending.js';
import {finalScore, opinion, worth} from './opinion.js';
import {PlayerBar} from './players.js';
import {scoreOf} from './tables.js';
import {fetchRecord} from './tournaments.js';

// text: "1-0 3--3 all-home", as in an event. A score may be negative; where the last position is known, its pieces are counted instead.
export function overText(game, text, position = '') {
  const [result, score, reason] = text.split(' ');
  const outcome = OUTCOME_OF[result];
  const [black, white] = score.match(/^(-?\d+)-(-?\d+)$/).slice(1).map(Number);
  const ended = {outcome, reason, black, white};
  const words = (position && scoreWords(game, ended, position)) || scoreOf(game, [black, white]);
  return `${outcomeText(outcome)} ${words}: ${causeText(game, ended, position)}`;
}

// For screen readers: "black man on 00 11, white man on 17 26".
function positionWords(game, position) {
  const squares = new Map();
  for (const [square, letter] of Object.entries(readCells(position))) {
    const known = pieceOf(game, letter);
    if (!known?.side) continue;
    const name = `${known.side} ${known.piece}`;
    squares.set(name, [...(squares.get(name) || []), square]);
  }
  return [...squares].sort().map(([name, list]) => `${name} on ${list.join(' ')}`).join(', ');
}

// References follow the teams in the list and are numbered down from 999.
const entrantAt = ({teams, team_count: count}, number) => teams[number < count ? number : count + 999 - number];

// A line of a record, as an event has it: "12. b 23-25 {t=0.431 s=+0.52 fault=late}". value: Black's score, if it is known.
function readPly(line) {
  const [, letter, move, facts = ''] = line.match(/^\d+\. ([bw]) (\S+)(?: \{(.*)\})?/);
  const fact = (name) => facts.match(`(?:^| )${name}=(\\S+)`)?.[1];
  const score = fact('s') && Math.round(100 * Number(fact('s')));
  return {side: letter === 'b' ? 'black' : 'white', move, ms: 1000 * Number(fact('t') || 0), fault: fact('fault'), value: score && (letter === 'b' ? score : -score)};
}

const pathOf = (move) => (/^\d/.test(move || '') ? move.split('-') : []);

export class LiveBoard {
  // since: when the turn began, as momentOf returns it. onLost(): a move was not legal on the board. onChange(): a move was added, or
  // the game is over. evaluate(position, onValue): where Black's score comes from, if a bar shows it.
  constructor(info, tournament, {game, start, since, onLost, onChange = () => {}, evaluate = null, isSmall = true}) {
    const [black, white, ...position] = start.split(' ');
    Object.assign(this, {info, onLost, onChange, evaluate, since, tournament: tournament.id, number: game, position: position.join(' ')});
    this.plies = []; // {side, move, ms, fault, position, value}
    this.start = this.position;
    this.viewed = null; // the ply that is shown in place of the last one
    this.queue = Promise.resolve();
    this.waiting = 0;
    this.names = {black: entrantAt(tournament, black).name, white: entrantAt(tournament, white).name};
    this.board = new Board(info, {isSmall});
    this.bars = {black: new PlayerBar(info.name, 'black'), white: new PlayerBar(info.name, 'white')};
    this.used = {black: 0, white: 0};
    for (const bar of Object.values(this.bars)) bar.clock.hidden = Boolean(tournament.isRecorded);
    this.link = h('a', {href: `#/watch/${this.tournament}/game/${game}`}, `Game ${game}`);
    this.note = h('p', {class: 'live-note'}, isSmall ? this.link : null);
    this.balance = evaluate && h('div', {class: 'balance is-unknown', role: 'img', 'aria-label': 'Not evaluated yet'}, h('i'));
    this.el = h('article', {class: 'live'}, this.bars.white.el, this.board.el, this.bars.black.el, this.balance, this.note);
    this.board.show(this.position);
    this.showBars();
    if (evaluate) this.weigh(0);
  }

  get turn() { return this.position.split(' ')[1] === 'b' ? 'black' : 'white'; }

  // The ply whose position is shown; 0: the start.
  get shown() { return this.viewed ?? this.plies.length; }

  showBars() {
    const isLast = this.viewed === null;
    const position = isLast ? this.position : this.plies[this.viewed - 1]?.position || this.start;
    for (const side of ['black', 'white']) {
      const isTurn = isLast && !this.isOver && this.turn === side;
      this.bars[side].show({player: {kind: 'human', name: this.names[side]}, position, result: isLast ? this.result : null, isTurn});
      this.bars[side].name.title = this.names[side];
      this.bars[side].tick(this.used[side], 0);
    }
    this.board.grid.setAttribute('aria-label', `Game ${this.number}: ${this.names.black} (Black) against ${this.names.white} (White). ${
      this.isOver || !isLast ? '' : `${this.turn} to move. `}${positionWords(this.info.name, position)}`);
  }

  // A name that does not fit gets smaller letters and the place of the facts below it.
  fitNames() {
    for (const {name, el} of Object.values(this.bars)) {
      ['', 'is-long', 'is-longest'].find((size) => {
        name.className = `player-name ${size}`;
        return name.scrollHeight - name.clientHeight < name.clientHeight / 4 && name.closest('.player-words').offsetHeight <= el.clientHeight;
      });
    }
  }

  // The clock of the side to move.
  tick() {
    if (!this.isOver) this.bars[this.turn].tick(this.used[this.turn] + performance.now() - this.since, 0);
  }

  // How much of the bar is Black's.
  showBalance(value) {
    if (!this.balance) return;
    this.balance.classList.toggle('is-unknown', value === undefined);
    this.balance.firstChild.style.width = `${value === undefined ? 50 : 50 + 50 * worth(this.info.name, value)}%`;
    this.balance.setAttribute('aria-label', value === undefined ? 'Not evaluated yet' : opinion(this.info.name, value, 'Black'));
  }

  // since: when the turn after this move began.
  add(line, since) {
    this.waiting++;
    this.queue = this.queue.then(() => this.play(line, since)).catch(() => this.onLost());
  }

  async play(line, since) {
    const ply = readPly(line);
    const after = await ask('position', {game: this.info.name, position: this.position, moves: ply.move}).finally(() => { this.waiting--; });
    this.position = after.position;
    this.result = after.result;
    this.used[ply.side] += ply.ms;
    this.since = since;
    this.plies.push({...ply, position: after.position});
    this.weigh(this.plies.length);
    this.showBars();
    this.onChange();
    if (this.viewed !== null) return;
    this.board.mark({last: pathOf(ply.move)});
    // With more moves waiting, only the last one is animated.
    const shown = this.board.show(this.position, {move: this.waiting < 2 && /^\d/.test(ply.move) ? ply.move : null});
    if (this.waiting < 2) await shown;
  }

  // Asks for the score after a ply; 0: of the start.
  weigh(number) {
    const show = (value) => {
      if (number) this.plies[number - 1].value = value;
      else this.startValue = value;
      if (number === this.shown) this.showBalance(value);
      this.onChange();
    };
    const known = this.plies[number - 1]?.value;
    if (known !== undefined) show(known);
    else this.evaluate?.(number ? this.plies[number - 1].position : this.start, show);
  }

  // Shows the position after a ply; null: the last one, and those that follow.
  view(number) {
    const ply = this.plies[(number ?? this.plies.length) - 1];
    this.viewed = number;
    this.board.show(ply?.position || this.start, {isInstant: true});
    this.board.mark({last: pathOf(ply?.move)});
    this.showBars();
    this.showBalance(ply ? ply.value : this.startValue);
  }

  // The last moves may be missing among the events, if they came too fast; the record has them.
  async showLast() {
    const {games: [{plies}]} = await ask('record', {text: await fetchRecord(this.tournament, this.number)});
    const missing = plies.filter(({position}) => position).slice(this.plies.length);
    for (const {side, move, fault, position, time_ns: ns} of missing) this.plies.push({side, move, fault, position, ms: (ns || 0) / 1e6});
    const last = this.plies.at(-1);
    if (!last) return;
    this.position = last.position;
    const {over, result} = await ask('position', {game: this.info.name, position: last.position});
    this.result = result;
    if (over) last.value = finalScore(this.info.name, result);
    if (this.viewed === null) this.view(null);
  }

  end(text) {
    this.isOver = true;
    this.queue = this.queue.then(() => this.showLast()).catch(() => {}).then(() => {
      this.overAt = performance.now();
      this.el.classList.add('is-over');
      this.link.textContent = this.ending = overText(this.info.name, text, this.position);
      this.link.href = `#/learn/tournament/${this.tournament}/${this.number}`;
      this.showBars();
      this.onChange();
    });
  }
}
