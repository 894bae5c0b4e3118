// editor: a position that the user sets up piece by piece. The rules decide whether there can be such a position; this page only shows their
// answer. Then it can be played, analysed, solved and shared.
import {h, clear, copy, download} from './dom.js';
import {allGames, ask, gameInfo, noReport, stopThinking, think} from './engine.js';
import {Board, drawPiece, lettersFor, pieceOf, readCells} from './board.js';
import {firstGame, gameOf} from './games.js';
import {absolute, editLink, packPosition, positionLink, title, unpackPosition} from './match.js';
import {openChoices} from './menu.js';
import {countText, isWin, opinion} from './opinion.js';
import {gameTabs} from './rules.js';

const SOLVE_MS = 20000;
const EMPTY = '.';
const HOLE = '#';

const pieceName = (game, letter) => {
  const {piece, side} = pieceOf(game, letter) || {};
  return piece ? `${title(side)} ${piece}` : 'Empty';
};

class Editor {
  constructor(info, position) {
    this.info = info;
    this.letter = lettersFor(info.name)[0];
    this.board = new Board(info, {label: `${gameOf(info.name).title}. Arrow keys move, Enter places the chosen piece or removes it.`, onPick: (square) => this.put(square)});
    this.status = h('p', {class: 'status', role: 'status'});
    this.answer = h('p', {class: 'detail', role: 'status'});
    this.buildFields();
    this.buildActions();
    this.set(position);
  }

  buildFields() {
    const {name} = this.info;
    const option = (group, value, content, isChosen, onChoose) => h('label', {class: 'option'}, h('input', {type: 'radio', name: group, value, checked: isChosen, onchange: onChoose}), content);
    this.palette = h('fieldset', {class: 'choices palette'}, h('legend', {}, 'Piece to place'), h('div', {class: 'options'}, [...lettersFor(name), EMPTY].map((letter, at) =>
      option('letter', letter, [h('span', {class: 'player-piece', 'aria-hidden': 'true'}, drawPiece(name, letter)), h('span', {}, pieceName(name, letter))], at === 0, () => { this.letter = letter; }))));
    this.sides = h('fieldset', {class: 'choices'}, h('legend', {}, 'To move'), h('div', {class: 'options'}, ['black', 'white'].map((side) =>
      option('side', side[0], title(side), false, () => this.turn(side)))));
    const labels = gameOf(name).numbers;
    this.numbers = this.info.start.split(' ').slice(2).map((value, at) => h('input', {type: 'number', value, min: '0', max: '999', 'aria-label': labels[at], oninput: () => this.change()}));
    this.counters = h('div', {class: 'counters'}, this.numbers.map((field, at) => h('label', {}, h('span', {}, labels[at]), field)));
    this.text = h('input', {type: 'text', class: 'position-text', spellcheck: 'false', autocomplete: 'off', 'aria-label': 'Position as text', onchange: () => this.set(this.text.value.trim())});
  }

  buildActions() {
    const {name} = this.info;
    this.play = h('a', {class: 'button primary'}, 'Play');
    this.analyse = h('a', {class: 'button'}, 'Analyse');
    this.solve = h('button', {type: 'button', onclick: () => (this.isSolving ? stopThinking() : this.findSolution())}, 'Solve');
    this.share = h('button', {type: 'button', onclick: () => openChoices('Share', [
      ['Copy a link to this position', () => copy(absolute(positionLink(name, this.position)), 'Link')],
      ['Copy the position as text', () => copy(this.position, 'Position')],
      ['Download a picture (SVG)', async () => download(`${name}.svg`, 'image/svg+xml', await ask('picture', {game: name, position: this.position}))],
    ])}, 'Share');
    const cleared = readCells(this.info.start);
    for (const square of Object.keys(cleared)) if (cleared[square] !== HOLE) cleared[square] = EMPTY;
    const rest = this.info.start.slice(this.info.start.indexOf(' '));
    this.actions = h('div', {class: 'commit'}, this.play, this.analyse, this.solve, this.share);
    this.resets = h('div', {class: 'commit'}, h('button', {type: 'button', onclick: () => this.set(this.info.start)}, 'From the start'),
      h('button', {type: 'button', onclick: () => this.set(this.rows(cleared) + rest)}, 'Empty board'), h('button', {type: 'button', onclick: () => this.board.flip()}, 'Flip'));
  }

  rows(cells) {
    const {rows, columns} = this.info;
    return Array.from({length: rows}, (_, r) => Array.from({length: columns}, (__, c) => cells[`${r}${c}`]).join('')).join('/');
  }

  put(square) {
    const now = this.board.letters[square];
    if (now === HOLE) return;
    this.board.show(`${this.rows({...this.board.letters, [square]: now === this.letter ? EMPTY : this.letter})}`);
    this.change();
  }

  // In some games the numbers depend on the side to move.
  turn(side) {
    const numbers = gameOf(this.info.name).numbersAt(side, this.numbers.map(({value}) => Number(value)));
    this.numbers.forEach((field, at) => { field.value = numbers[at]; });
    this.change();
  }

  // What the board and the fields show, as text.
  change() {
    const side = this.sides.querySelector(':checked')?.value || 'b';
    this.check([this.rows(this.board.letters), side, ...this.numbers.map(({value}) => value)].join(' '));
  }

  // A text that is not a position changes nothing but the message.
  async set(position) {
    const facts = await this.check(position);
    if (!facts) return;
    const [, side, ...numbers] = facts.position.split(' ');
    this.board.show(facts.position);
    this.sides.querySelector(`[value="${side}"]`).checked = true;
    this.numbers.forEach((field, at) => { field.value = numbers[at]; });
  }

  // Resolves to the facts of the rules, or null.
  async check(position) {
    stopThinking();
    this.asked = position;
    this.text.value = position;
    this.answer.textContent = '';
    const facts = await ask('position', {game: this.info.name, position}).catch((error) => error);
    if (this.asked !== position || !this.board.el.isConnected) return null;
    const isWrong = facts instanceof Error;
    this.position = isWrong ? null : facts.position; // the text may be a word for it: start
    if (!isWrong) {
      this.asked = facts.position;
      this.text.value = facts.position;
    }
    this.status.textContent = isWrong ? facts.message : facts.over ? 'The game is over in this position.' : facts.status ? `${facts.turn}; ${facts.status}.` : `${facts.turn}.`;
    this.status.classList.toggle('is-wrong', isWrong);
    this.text.setAttribute('aria-invalid', String(isWrong));
    this.offer(!isWrong && !facts.over, !isWrong);
    return isWrong ? null : facts;
  }

  offer(canPlay, canShare) {
    const packed = packPosition(this.position || '');
    for (const [link, page] of [[this.play, 'play'], [this.analyse, 'engine']]) {
      if (canPlay) link.setAttribute('href', `#/${page}/${this.info.name}?position=${packed}`);
      else link.removeAttribute('href');
      link.setAttribute('aria-disabled', String(!canPlay));
    }
    this.solve.disabled = !canPlay;
    this.share.disabled = !canShare;
    if (canShare) history.replaceState(null, '', editLink(this.info.name, this.position));
  }

  async findSolution() {
    const {position} = this;
    const {name} = this.info;
    this.showSolving(true);
    let latest = null;
    const showProgress = (report) => {
      latest = report;
      this.answer.textContent = `Plum is looking: depth ${report.depth}, ${countText(report.nodes)} positions …`;
    };
    const report = await think({game: name, position, time_ms: SOLVE_MS}, showProgress).catch(noReport).catch((error) => { this.answer.textContent = error.message; });
    this.showSolving(false);
    if (this.asked !== position || (!report && !latest)) return;
    const {move, score, exact} = report || latest;
    const side = title(position.split(' ')[1] === 'b' ? 'black' : 'white');
    this.answer.textContent = `${exact ? 'Solved: ' : isWin(score) ? '' : 'Not solved: '}${side} should play ${move}. ${opinion(name, score, side, exact).replace(exact ? 'about ' : '', '')}.`;
  }

  showSolving(isOn) {
    this.isSolving = isOn;
    this.solve.textContent = isOn ? 'Stop' : 'Solve';
  }
}

export async function editorView(place, name = firstGame(), query) {
  const [games, info] = await Promise.all([allGames(), gameInfo(name)]);
  if (!place.isConnected) return null;
  const editor = new Editor(info, query.get('position') ? unpackPosition(query.get('position')) : info.start);
  editor.board.show(info.start);
  clear(place, gameTabs(games, 'play/edit', name), h('div', {class: 'play editor'}, h('section', {class: 'stage', 'aria-label': 'Board'}, editor.board.el),
    h('div', {class: 'panel'}, h('h1', {class: 'panel-title'}, 'Set up a position'), editor.palette, editor.sides, editor.counters,
      h('div', {class: 'prompt'}, editor.status, editor.answer, editor.actions), editor.resets, h('label', {class: 'stack'}, h('span', {}, 'As text'), editor.text))));
  return stopThinking;
}
