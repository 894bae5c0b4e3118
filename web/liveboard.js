// liveboard: one running game. Its moves come one by one and are shown one by one.
import {h} from './dom.js';
import {ask} from './engine.js';
import {Board} from './board.js';
import {PlayerBar} from './players.js';
import {scorePair} from './tables.js';
import {fetchRecord} from './tournaments.js';

export class LiveBoard {
  constructor(info, scene, number, start) {
    const names = (team) => scene.teams[team].name;
    const [black, white, ...position] = start.split(' ');
    this.info = info;
    this.tournament = scene.id;
    this.number = number;
    this.position = position.join(' ');
    this.queue = Promise.resolve();
    this.waiting = 0;
    this.teams = {black: Number(black), white: Number(white)};
    this.names = names;
    this.board = new Board(info, {isSmall: true, label: `Game ${number + 1}: ${names(this.teams.black)} against ${names(this.teams.white)}`});
    this.bars = {black: new PlayerBar(info.name, 'black'), white: new PlayerBar(info.name, 'white')};
    this.used = {black: 0, white: 0};
    this.note = h('p', {class: 'live-note'}, `Game ${number + 1}`);
    this.el = h('article', {class: 'live'}, this.bars.white.el, this.board.el, this.bars.black.el, this.note);
    this.board.show(this.position);
    this.showBars();
  }

  showBars(isOver = false) {
    for (const side of ['black', 'white']) {
      const isTurn = !isOver && this.position.split(' ')[1] === side[0];
      this.bars[side].show({player: {kind: 'human', name: this.names(this.teams[side])}, position: this.position, result: this.result, isTurn});
      this.bars[side].tick(this.used[side], 0);
    }
  }

  add(line) {
    this.waiting++;
    this.queue = this.queue.then(() => this.play(line)).catch(() => {});
  }

  async play(line) {
    const [, side, move, facts = ''] = line.match(/^\d+\. ([bw]) (\S+)(?: \{(.*)\})?/);
    const seconds = Number(facts.match(/(?:^| )t=([\d.]+)/)?.[1] || 0);
    const after = await ask('position', {game: this.info.name, position: this.position, moves: move});
    this.waiting--;
    this.position = after.position;
    this.result = after.result;
    this.used[side === 'b' ? 'black' : 'white'] += seconds * 1000;
    const isPath = /^\d/.test(move);
    this.board.mark({last: isPath ? move.split('-') : []});
    // Who comes late sees the position, not every move that led to it.
    const shown = this.board.show(this.position, {move: isPath && this.waiting < 2 ? move : null});
    this.showBars();
    if (this.waiting < 2) await shown;
  }

  // The last moves may have come too fast to be told one by one; the record has them.
  async showLast() {
    const {games: [{plies}]} = await ask('record', {text: await fetchRecord(this.tournament, this.number)});
    const last = plies.at(-1);
    if (!last?.position) return;
    this.position = last.position;
    this.result = (await ask('position', {game: this.info.name, position: last.position})).result;
    this.board.show(last.position);
    this.board.mark({last: /^\d/.test(last.move) ? last.move.split('-') : []});
  }

  end(text) {
    this.queue = this.queue.then(() => this.showLast()).catch(() => {}).then(() => {
      const [result, score, reason] = text.split(' ');
      this.el.classList.add('is-over');
      this.note.textContent = `${{'1-0': 'Black wins', '0-1': 'White wins'}[result] || 'Draw'} ${scorePair(score.match(/-?\d+(?=-|$)/g))}, ${reason}`;
      this.showBars(true);
    });
  }
}
