// learn: replays a game, with a curve of the evaluation, better moves, and the mistakes as puzzles.
import {h, announce, clear, copy, download, prefersReducedMotion, toast} from './dom.js';
import {ask, gameInfo, loadRules, think, thinkDeeply, stopThinking, noReport, Stopped} from './engine.js';
import {Board} from './board.js';
import {gameOf, gamesWith} from './games.js';
import {Mover, costOf} from './mover.js';
import {Match, title, other, playerName, positionLink, gameLink, reviewLink, absolute} from './match.js';
import {Chart} from './chart.js';
import {PlayerBar, placeBars, startsFlipped} from './players.js';
import {FAULT_PHRASES, FAULT_LABELS, closingText, endText, outcomeText, faultSummary} from './ending.js';
import {finalScore, opinion, scoreText, worth} from './opinion.js';
import {fromLink, fromMatch, fromRecord, fromTournament} from './source.js';
import {dayText, gameList} from './gamelist.js';
import {puzzleView} from './puzzles.js';
import {puzzleLink, solvedPuzzles} from './puzzleset.js';
import {Unanswered, sentence} from './server.js';

const LOOK_NODES = 25000;
const BLUNDER = .3;
const MISTAKE = .14;
const SLIP = .04;
const FEWEST_PUZZLES = 3;
const playMs = () => (prefersReducedMotion() ? 1800 : 1100);

// The text for a ply. A game may continue after a fault: the turn is lost, or the judge makes a move for the side at fault.
function plyText(game, {side, move, fault}) {
  const who = title(side);
  if (move === 'pass') return `${who} had to pass`;
  if (move === 'skip') return `${who} ${fault ? `${FAULT_PHRASES[fault]} and ` : ''}lost the turn`;
  if (!fault) return `${who} played ${move}`;
  return gameOf(game).countsLateMoves ? `${who} played ${move}, but ${FAULT_PHRASES[fault]}` : `${who} ${FAULT_PHRASES[fault]}; ${move} was played for it`;
}

const sideIn = (position) => (position.split(' ')[1] === 'b' ? 'black' : 'white');

// --- The page. ---

class Review {
  constructor(place, source, info) {
    this.place = place;
    this.source = source;
    this.info = info;
    this.positions = [source.start, ...source.plies.map((ply) => ply.position)];
    this.reports = [];
    this.faults = {};
    this.now = 0;
    this.isAlive = true;
    this.board = new Board(info, {
      label: `${gameOf(info.name).title}, replay`, onPick: (square) => this.run(this.mover.pick(square)), onDrop: (from, to) => this.run(this.mover.drop(from, to)),
      onLift: (square) => this.run(this.mover.lift(square)), onHover: (square) => this.mover.hover(square), canDrag: (square) => this.mover.canDrag(square),
    });
    this.mover = new Mover(this.board, {onMove: (move, position, unseen) => this.run(this.onTry(move, position, unseen)), onChange: () => this.showPuzzle(), onRefuse: (text) => this.setCaption(`${this.task} ${text}`)});
    this.chart = new Chart(info.name, source.plies.map(({side}) => side), (ply) => this.visit(ply));
    this.bars = {black: new PlayerBar(info.name, 'black'), white: new PlayerBar(info.name, 'white')};
    this.build();
    if (history.state?.isFlipped ?? startsFlipped(info.name, this.viewer())) this.board.flip();
    placeBars(this.bars, this.board, this.viewer());
    this.onKey = (event) => this.key(event);
    addEventListener('keydown', this.onKey);
  }

  close() {
    this.isAlive = false;
    clearInterval(this.playing);
    removeEventListener('keydown', this.onKey);
    stopThinking();
    this.mover.stop();
  }

  // The one side that a person had, or null.
  viewer() { return this.source.people?.length === 1 ? this.source.people[0] : null; }

  run(task) {
    return task.catch((error) => { if (!(error instanceof Stopped)) toast(error.message); });
  }

  get last() { return this.source.plies.length; }

  button(label, onclick, isPrimary = false) { return h('button', {type: 'button', class: isPrimary ? 'primary' : null, onclick}, label); }

  build() {
    const {source} = this;
    const step = (label, words, by) => h('button', {type: 'button', 'aria-label': words, onclick: () => this.visit(by())}, label);
    this.slider = h('input', {type: 'range', min: '0', max: String(this.last), value: '0', 'aria-label': 'Move', oninput: () => this.visit(Number(this.slider.value))});
    this.player = h('button', {type: 'button', 'aria-label': 'Play the game', 'aria-pressed': 'false', onclick: () => this.togglePlaying()}, '▶');
    this.balance = h('div', {class: 'balance', role: 'img'}, h('i'));
    this.caption = h('p', {class: 'status', role: 'status'});
    this.verdict = h('div', {});
    this.best = h('p', {class: 'line'});
    this.work = h('progress', {'aria-label': 'Analysis', max: String(this.positions.length), value: '0'});
    this.progress = h('p', {class: 'soft small', 'aria-live': 'off'});
    this.moves = h('ol', {class: 'moves', 'aria-label': 'Moves', tabindex: '0'});
    this.puzzleButton = this.button('Solve the mistakes', () => this.startPuzzles(), true);
    this.puzzleButton.disabled = true;
    this.deeper = this.button('Look deeper here', () => this.lookDeeper());
    this.commit = h('div', {class: 'commit'});
    this.problem = h('p', {class: 'verdict blunder', role: 'alert'}, source.problem && sentence(source.problem));
    clear(this.place, h('div', {class: 'learn replay'},
      h('section', {class: 'stage', 'aria-label': 'Board'}, this.board.el, this.balance, h('div', {class: 'steps'},
        step('«', 'To the start', () => 0), step('‹', 'One move back', () => this.now - 1), this.player, this.slider,
        step('›', 'One move on', () => this.now + 1), step('»', 'To the end', () => this.last))),
      h('aside', {class: 'panel'}, this.heading(), this.problem,
        source.titles.length > 1 ? h('select', {'aria-label': 'Which game of the file', onchange: (event) => this.openOther(Number(event.target.value))},
          source.titles.map((label, at) => h('option', {value: String(at), selected: at === source.index}, label))) : null,
        this.chart.el, h('div', {class: 'legend'}, h('span', {class: 'blunder'}, h('b'), 'blunder ??'), h('span', {class: 'mistake'}, h('b'), 'mistake ?'),
          h('span', {}, 'The core of a dot shows who moved.')), h('div', {class: 'work'}, this.progress, this.work),
        h('div', {class: 'prompt'}, this.caption, this.verdict, this.best, this.commit),
        h('div', {class: 'actions'}, this.puzzleButton, this.deeper, h('a', {class: 'button', href: '#/learn'}, 'Another game'),
          this.button('Play from here', () => this.playFromHere()), this.button('Flip', () => this.flip()), this.button('Copy link', () => this.copyLink()),
          h('button', {type: 'button', disabled: Boolean(source.problem), onclick: () => download(`${this.info.name}.txt`, 'text/plain', source.record)}, 'Record'), this.button('Picture', () => this.run(this.savePicture()))),
        this.moves)));
  }

  heading() {
    const {names, bids} = this.source;
    const facts = [names && `${names.black} (Black) against ${names.white} (White)`, `${this.last} ${this.last === 1 ? 'move' : 'moves'}`, bids];
    return h('header', {}, h('h1', {class: 'panel-title'}, gameOf(this.info.name).title), h('p', {class: 'soft names'}, facts.filter(Boolean).join(', ')),
      h('p', {class: 'result'}, this.endText()), this.faultSummary(), this.source.remark ? h('p', {class: 'notice'}, this.source.remark) : null);
  }

  // The result does not show every fault: a game may continue after one.
  faultSummary() {
    return faultSummary(this.info.name, this.source.plies).map(({words: [before, after], first}) => h('p', {class: 'fault-summary'}, `${before} `,
      h('button', {type: 'button', onclick: () => this.seek(first)}, `move ${first}`), `${after}.`));
  }

  endText() {
    const {ended} = this.source;
    return ended ? `${outcomeText(ended.outcome)}. ${endText(this.info.name, ended, this.positions.at(-1), this.viewer())}` : '';
  }

  async openOther(index) {
    try {
      await openAt(this.place, this.problem, this.source.text, index);
    } catch (error) {
      this.problem.textContent = sentence(error.message);
    }
  }

  // --- Looking at the game. ---

  // The user goes to a position: from now on the page does not move by itself.
  visit(ply) {
    this.isVisited = true;
    this.stopPlaying();
    this.show(ply);
  }

  togglePlaying() {
    if (this.playing) {
      this.stopPlaying();
      return;
    }
    this.isVisited = true;
    if (this.now === this.last) this.show(0, true);
    this.player.setAttribute('aria-pressed', 'true');
    this.player.textContent = '❚❚';
    this.playing = setInterval(() => {
      if (this.now < this.last) this.show(this.now + 1);
      if (this.now === this.last) this.stopPlaying();
    }, playMs());
  }

  stopPlaying() {
    clearInterval(this.playing);
    this.playing = 0;
    this.player.setAttribute('aria-pressed', 'false');
    this.player.textContent = '▶';
  }

  show(ply, isInstant = false) {
    const to = Math.min(Math.max(ply, 0), this.last);
    const isStep = to === this.now + 1;
    const move = this.source.plies[to - 1]?.move || '';
    this.endPuzzle();
    this.now = to;
    this.slider.value = String(to);
    this.slider.setAttribute('aria-valuetext', to ? `after move ${to}, ${move}` : 'start');
    this.board.show(this.positions[to], {move: isStep && !isInstant && /^\d/.test(move) ? move : null});
    this.board.mark({last: /^\d/.test(move) ? move.split('-') : []});
    this.showMove();
  }

  // Stored in this entry of the history, so that a reload finds it.
  flip() {
    this.board.flip();
    placeBars(this.bars, this.board, this.viewer());
    history.replaceState({...history.state, isFlipped: this.board.isFlipped}, '');
  }

  // On a phone the board may be far above the button.
  seeBoard() { this.board.el.scrollIntoView({block: 'nearest'}); }

  // The turns up to now; after the last move also the turn that the game ended in.
  turns() {
    const {plies, closing} = this.source;
    return [...plies.slice(0, this.now), ...(closing && this.now === this.last ? [closing] : [])];
  }

  usedMs(side) {
    return this.turns().reduce((sum, turn) => sum + (turn.side === side ? (turn.time_ns || 0) / 1e6 : 0), 0);
  }

  // before: the position that the last move was made in, if there is one.
  async showBars(position, before) {
    this.seen = position;
    const {over, result, to_move: toMove} = await ask('position', {game: this.info.name, position});
    if (position !== this.seen) return;
    const spent = before && costOf(this.info.name, before, position);
    for (const [side, bar] of Object.entries(this.bars)) {
      bar.show({player: {kind: 'human', name: this.source.names?.[side] || title(side)}, position, isTurn: !over && toMove === side,
        result, spent: before && sideIn(before) === side ? spent : null});
      bar.tick(this.usedMs(side), 0);
      bar.clock.hidden = ![...this.source.plies, this.source.closing].some((turn) => turn?.time_ns);
    }
  }

  sideOf(ply) { return sideIn(this.positions[ply]); }

  get isAtEnd() { return this.now === this.last && this.source.isOver; }

  // Black's score at a position.
  value(ply) {
    const report = this.reports[ply];
    if (!report) return undefined;
    return this.sideOf(ply) === 'black' ? report.score : -report.score;
  }

  drawChart() { this.chart.show(this.positions.map((position, at) => this.value(at)), this.faults, this.now); }

  // The bar at the board: how much of it is Black's.
  showBalance(value) {
    const share = value === undefined ? .5 : (1 + worth(this.info.name, value)) / 2;
    this.balance.classList.toggle('is-unknown', value === undefined);
    this.balance.firstChild.style.width = `${100 * share}%`;
    this.balance.setAttribute('aria-label', value === undefined ? 'Not evaluated yet' : opinion(this.info.name, value, 'Black'));
  }

  // Moves that follow from a position, as buttons that show them on the board.
  showLine(words, position, moves) {
    const button = (move, at) => h('button', {type: 'button', onclick: () => this.run(this.showInLine(position, moves.slice(0, at + 1)))}, move);
    clear(this.best, `${words} `, moves.map((move, at) => [button(move, at), ' ']));
  }

  async showInLine(position, moves) {
    this.isVisited = true;
    this.stopPlaying();
    const {position: after} = await ask('position', {game: this.info.name, position, moves: moves.join(' ')});
    if (!this.isAlive) return;
    this.board.show(after, {isInstant: true});
    this.board.mark({last: /^\d/.test(moves.at(-1)) ? moves.at(-1).split('-') : []});
    this.board.point([]);
    this.setCaption(`In this line, after ${moves.join(' ')}.`);
    this.run(this.showBars(after, null));
    this.seeBoard();
  }

  showMove() {
    const ply = this.now;
    const played = this.source.plies[ply - 1];
    const before = this.reports[ply - 1];
    this.drawChart();
    this.allowDeeper();
    this.run(this.showBars(this.positions[ply], this.positions[ply - 1]));
    this.caption.textContent = this.captionText();
    clear(this.verdict);
    this.best.textContent = '';
    const value = this.value(ply);
    this.showBalance(value);
    if (value !== undefined && !this.isAtEnd) this.verdict.append(h('p', {class: 'detail'}, `${opinion(this.info.name, value, 'Black')}.`));
    const isMistake = Boolean(played && before && this.faults[ply]);
    if (isMistake) {
      this.verdict.append(h('p', {class: `verdict ${this.faults[ply]}`}, this.faults[ply] === 'blunder' ? 'A blunder. ' : 'A mistake. ',
        h('button', {type: 'button', onclick: () => this.showBetter(ply)}, 'What should have been played?')));
    }
    const here = this.reports[ply];
    if (here?.isDeep) this.showLine(`${here.depth ? `Depth ${here.depth}, ` : ''}${scoreText(here.score)} for ${title(this.sideOf(ply))}:`, this.positions[ply], here.line.slice(0, 8));
    else if (here?.line.length) this.showLine(isMistake ? 'Best reply:' : 'Best from here:', this.positions[ply], here.line.slice(0, 6));
    this.pointAt(isMistake ? null : here?.move); // an arrow would look like the answer to the question
    [...this.moves.children].forEach((item, at) => item.classList.toggle('is-now', at === ply - 1));
    const item = this.moves.children[ply - 1];
    if (item) this.moves.scrollTop = item.offsetTop - this.moves.offsetTop - this.moves.clientHeight / 2;
  }

  // The best move as an arrow.
  pointAt(move) { this.board.point(/^\d/.test(move || '') ? move.split('-') : []); }

  captionText() {
    const played = this.source.plies[this.now - 1];
    const text = played ? `${this.now}. ${plyText(this.info.name, played)}` : 'The start';
    const {closing} = this.source;
    return closing && this.now === this.last ? `${text}. ${closingText(this.info.name, closing)}` : text;
  }

  listMoves() {
    clear(this.moves, this.source.plies.map((ply, at) => h('li', {},
      h('button', {type: 'button', onclick: () => this.seek(at + 1)}, ply.move), ply.fault ? [' ', h('span', {class: 'fault'}, FAULT_LABELS[ply.fault])] : null)));
  }

  seek(ply) {
    this.visit(ply);
    this.seeBoard();
  }

  showBetter(ply) {
    this.isVisited = true;
    this.stopPlaying();
    this.endPuzzle();
    const better = this.reports[ply - 1];
    this.now = ply - 1;
    this.slider.value = String(this.now);
    this.board.show(this.positions[this.now], {isInstant: true});
    this.board.mark({hint: better.move.split('-')});
    this.showMove();
    this.verdict.querySelector('.verdict')?.remove(); // of the move before
    this.caption.textContent = `${title(this.sideOf(this.now))} should have played ${better.move}.`;
    this.pointAt(better.move);
    this.showLine('The line:', this.positions[this.now], better.line.slice(0, 8));
  }

  begin() {
    this.listMoves();
    this.show(0, true);
    this.run(this.analyze());
  }

  async analyze() {
    for (let ply = 0; ply < this.positions.length && this.isAlive; ply++) {
      await this.deep;
      await this.look(ply);
      if (!this.isAlive) return;
      this.progress.textContent = `Plum has looked at ${ply + 1} of ${this.positions.length} positions …`;
      this.work.value = ply + 1;
    }
    this.work.hidden = true;
    this.isComplete = true;
    this.openAtMistake(Object.keys(this.faults).map(Number));
    this.sumUp();
  }

  isMine(ply) { return !this.viewer() || this.source.plies[ply - 1].side === this.viewer(); }

  // The page opens at the first mistake, one's own if there is one, unless the user has gone elsewhere.
  openAtMistake(plies) {
    if (this.isVisited || !plies.length) return;
    this.isVisited = true;
    this.show(plies.find((ply) => this.isMine(ply)) || plies[0], true);
  }

  sumUp() {
    const count = (kind) => Object.values(this.faults).filter((fault) => fault === kind).length;
    const [blunders, mistakes] = [count('blunder'), count('mistake')];
    const mine = Object.keys(this.faults).filter((ply) => this.faults[ply] === 'blunder' && this.isMine(ply)).length;
    const found = blunders ? `${blunders} ${blunders === 1 ? 'blunder' : 'blunders'} found${mine === blunders ? '' : `, ${mine || 'none'} of yours`}` : 'No blunder found';
    this.progress.textContent = `${found}${mistakes ? `; ${mistakes} ${mistakes === 1 ? 'mistake' : 'mistakes'}` : ''}.`;
    this.allowPuzzles();
  }

  async look(ply) {
    if (ply === this.last && this.source.isOver) {
      const score = finalScore(this.info.name, this.source.ended);
      this.reports[ply] = {score: this.sideOf(ply) === 'black' ? score : -score, line: [], move: ''};
    } else {
      const report = this.reports[ply] || await think({game: this.info.name, position: this.positions[ply], nodes: LOOK_NODES}).catch(noReport);
      this.reports[ply] ||= report; // a deeper search may have been faster
    }
    if (!this.isAlive) return;
    if (!this.reports[ply]) {
      await this.deep;
      await this.look(ply);
      return;
    }
    this.judge(ply);
    if (this.faults[ply] && this.isMine(ply)) this.openAtMistake([ply]);
    if (ply === this.now) this.showMove();
    else this.drawChart();
  }

  // How much worse the move to this position was than the best one, for the side that moved.
  // Where the result is a difference, that counts also when the game is decided.
  loss(ply, score) {
    const {name} = this.info;
    const best = this.reports[ply - 1].score;
    const chance = worth(name, best) - worth(name, score);
    return gameOf(name).score === 'difference' ? Math.max(chance, (best - score) / (3 * gameOf(name).scale)) : chance;
  }

  // What the move to this position lost, as far as is known. The best move known lost nothing.
  lossBy(ply) {
    const played = this.source.plies[ply - 1];
    const [before, after] = [this.reports[ply - 1], this.reports[ply]];
    if (!played || played.fault || !before || !after || played.move === before.move || !/^\d/.test(played.move)) return 0;
    return this.loss(ply, -after.score);
  }

  // 'blunder', 'mistake' or ''.
  verdictOn(ply) {
    const loss = this.lossBy(ply);
    return loss > BLUNDER ? 'blunder' : loss > MISTAKE ? 'mistake' : '';
  }

  judge(ply) {
    const verdict = this.verdictOn(ply);
    if (verdict) this.faults[ply] = verdict;
    else delete this.faults[ply];
    const item = this.moves.children[ply - 1];
    for (const kind of ['blunder', 'mistake']) item?.classList.toggle(kind, kind === verdict);
  }

  // A deeper search may change the verdict.
  judgeAgain(ply) {
    this.judge(ply);
    this.judge(ply + 1);
    if (this.isComplete) this.sumUp();
    if (this.now === ply || this.now === ply + 1) this.showMove();
    else this.drawChart();
  }

  async lookDeeper() {
    const ply = this.now;
    this.isLooking = true;
    this.deeper.textContent = 'Looking …';
    this.place.setAttribute('aria-busy', 'true');
    this.allowDeeper();
    this.seeBoard();
    try {
      const asked = thinkDeeply({game: this.info.name, position: this.positions[ply]});
      // The page has one engine: the analysis waits for this search.
      this.deep = asked.catch(() => null);
      const report = await asked;
      if (!this.isAlive) return;
      this.reports[ply] = {...report, isDeep: true};
      this.judgeAgain(ply);
      if (ply === this.now) this.pointAt(report.move);
    } catch (error) {
      if (!(error instanceof Stopped)) toast(error.message);
    } finally {
      this.isLooking = false;
      this.deeper.textContent = 'Look deeper here';
      this.place.removeAttribute('aria-busy');
      this.allowDeeper();
    }
  }

  // At the end of the game there is nothing to search.
  allowDeeper() {
    this.deeper.disabled = Boolean(this.isLooking) || this.isAtEnd;
    this.allowPuzzles();
  }

  // The list of puzzles may change while a search is running.
  allowPuzzles() { this.puzzleButton.disabled = Boolean(this.isLooking) || !this.isComplete || !this.puzzles().length; }

  // --- Mistakes as puzzles. ---

  // All blunders and mistakes; and where there are fewer than three, the worst moves that lost something.
  puzzles() {
    const lost = this.source.plies.map((_, at) => ({ply: at + 1, loss: this.lossBy(at + 1)})).filter(({ply, loss}) => loss > SLIP && this.isMine(ply)).sort((a, b) => b.loss - a.loss);
    return lost.filter(({loss}, at) => loss > MISTAKE || at < FEWEST_PUZZLES).map(({ply}) => ply).sort((a, b) => a - b);
  }

  startPuzzles() {
    this.isVisited = true;
    this.stopPlaying();
    this.queue = this.puzzles();
    this.solved = 0;
    this.total = this.queue.length;
    this.nextPuzzle();
    this.seeBoard();
  }

  nextPuzzle() {
    const ply = this.queue.shift();
    if (!ply) {
      this.show(this.last, true);
      this.caption.textContent = `Done: ${this.solved} of ${this.total} solved.`;
      return;
    }
    this.show(ply - 1, true);
    this.puzzle = ply;
    this.task = `Puzzle ${this.total - this.queue.length} of ${this.total}: ${title(this.sideOf(ply - 1))} to move. ${this.source.plies[ply - 1].move} was played; find something better.`;
    this.showPuzzle();
    clear(this.verdict);
    this.best.textContent = '';
    this.board.point([]);
    this.showBalance(undefined);
    this.mover.start(this.info.name, this.positions[ply - 1]);
  }

  endPuzzle() {
    this.puzzle = 0;
    this.mover.stop();
    this.offer();
  }

  // The buttons of a puzzle. During a puzzle the buttons that would show its solution are hidden.
  offer(...buttons) {
    clear(this.commit, buttons);
    this.puzzleButton.hidden = this.deeper.hidden = buttons.length > 0;
  }

  // An unchanged text is not set again: a screen reader would repeat it.
  setCaption(text) { if (this.caption.textContent !== text) this.caption.textContent = text; }

  showPuzzle() {
    const {canSend, path} = this.mover;
    this.setCaption(this.task);
    this.offer(canSend && path.length > 1 ? this.button('Play this move', () => this.run(this.mover.send()), true) : null,
      path.length > 1 ? this.button('Undo last step', () => this.run(this.mover.undo())) : null, this.button('Show it', () => this.showSolution(this.puzzle)));
  }

  showSolution(ply) {
    this.showBetter(ply);
    this.offer(this.nextButton(true));
  }

  nextButton(isPrimary) { return this.button(this.queue.length ? 'Next puzzle' : 'Done', () => this.nextPuzzle(), isPrimary); }

  tryAgain(ply) {
    this.queue.unshift(ply);
    this.nextPuzzle();
  }

  // The score after the user's move, for the side to move in the puzzle, and its text.
  async weigh(ply, position) {
    const side = this.sideOf(ply - 1);
    const facts = await ask('position', {game: this.info.name, position});
    if (facts.over) {
      const score = finalScore(this.info.name, facts.result);
      return {score: side === 'black' ? score : -score, words: outcomeText(facts.result.outcome)};
    }
    const report = position === this.positions[ply] ? this.reports[ply] : await think({game: this.info.name, position, nodes: LOOK_NODES});
    return {score: -report.score, words: opinion(this.info.name, -report.score, title(side))};
  }

  async onTry(move, position, unseen) {
    const ply = this.puzzle;
    this.run(this.showBars(position, this.positions[ply - 1]));
    await this.board.show(position, {move: unseen});
    if (this.puzzle !== ply) return;
    this.caption.textContent = 'Plum is looking …';
    const {score, words} = await this.weigh(ply, position);
    if (!this.isAlive || this.puzzle !== ply) return;
    if (move === this.reports[ply - 1].move || this.loss(ply, score) < Math.min(MISTAKE, this.lossBy(ply) / 2)) {
      this.solved++;
      this.caption.textContent = `Right: ${move} is good.`;
      this.offer(this.nextButton(true));
    } else {
      this.caption.textContent = `Not ${move}: ${words}.`;
      this.board.mark({wrong: move.split('-')});
      this.offer(this.button('Try again', () => this.tryAgain(ply), true), this.button('Show it', () => this.showSolution(ply)), this.nextButton(false));
    }
  }

  // --- Links and files. ---

  playFromHere() { location.hash = positionLink(this.info.name, this.positions[this.now]); }

  copyLink() { copy(absolute(this.source.address || gameLink({...this.source, you: null}, this.info.start)), 'Link'); }

  async savePicture() {
    download(`${this.info.name}-${this.now}.svg`, 'image/svg+xml', await ask('picture', {game: this.info.name, position: this.positions[this.now]}));
  }

  key(event) {
    if (event.ctrlKey || event.altKey || event.metaKey || event.target.closest?.('input, select, textarea, dialog, .grid')) return;
    if (event.key === 'ArrowLeft') this.visit(this.now - 1);
    else if (event.key === 'ArrowRight') this.visit(this.now + 1);
    else if (event.key === 'Home') this.visit(0);
    else if (event.key === 'End') this.visit(this.last);
    else if (event.key === 'Escape') this.run(this.mover.undo());
    else return;
    event.preventDefault();
  }
}

let review = null;

function closeReview() {
  review?.close();
  review = null;
}

async function open(place, source) {
  const info = await gameInfo(source.game);
  if (!place.isConnected) return null;
  closeReview();
  review = new Review(place, source, info);
  review.begin();
  return closeReview;
}

// An address has less than the record (other games of the file, depths, tags): the history keeps it, for a reload and for a step back.
// asker: the element that the request came from. When it was removed, the request came twice, or the user has left the page.
async function openAt(place, asker, text, index = 0) {
  const source = await fromRecord(text, index);
  const {start} = await gameInfo(source.game);
  if (!asker.isConnected) return;
  history.pushState({text, index}, '', gameLink(source, start));
  await open(place, source);
  announce(place);
}

// --- Choosing a game. ---

function finishedList() {
  const games = Match.finished();
  if (!games.length) return h('p', {class: 'soft'}, 'Games that you finish here are kept in this browser and listed in this place.');
  const result = ({players, ended: {outcome}}) => (outcome === 'draw' ? 'draw' : `${playerName(players[outcome])} beat ${playerName(players[other(outcome)]).replace(/^You$/, 'you')}`);
  return gameList(games, {link: reviewLink, words: result, note: ({date}) => dayText(date)});
}

// Games to look at for a user that has none: those that the first page shows.
function sampleList() {
  const link = (name, {plies}) => `#/learn/${name}?moves=${plies.map((ply) => ply.split(' ')[0]).join('.')}&black=Plum&white=Plum`;
  return h('ul', {class: 'plain'}, gamesWith('show').map(([name, {title: words, show}]) => h('li', {}, h('a', {href: link(name, show)}, `${words}: Plum against itself, ${show.plies.length} moves`))));
}

function puzzleList() {
  return h('ul', {class: 'plain'}, gamesWith('hasPuzzles').map(([name, {title: words}]) => {
    const count = solvedPuzzles(name).length;
    return h('li', {}, h('a', {href: puzzleLink(name, 'next')}, `Puzzles of ${words}`), count ? h('span', {class: 'soft'}, ` ${count} solved`) : null);
  }));
}

function choose(place, notice = '') {
  const [[name, {show}]] = gamesWith('show');
  const [first, second] = show.plies.map((ply) => ply.split(' ')[0]);
  const text = h('textarea', {id: 'record-text', spellcheck: 'false', placeholder: `[Game "${name}"]\n…\n\n1. b ${first}\n2. w ${second}`});
  const problem = h('p', {role: 'alert', class: 'verdict blunder'});
  const go = async (record) => {
    try {
      if (!record.trim()) throw new Error('Paste a record into the field first.');
      await openAt(place, problem, record);
    } catch (error) {
      problem.textContent = sentence(error.message);
    }
  };
  const file = h('input', {type: 'file', id: 'record-file', accept: '.txt,.pgn,text/plain', onchange: async () => file.files.length && go(await file.files[0].text())});
  clear(place, h('h1', {}, 'Learn from a game'), h('p', {class: 'notice', role: 'status'}, notice), h('div', {class: 'load'},
    h('section', {class: 'card'}, h('h2', {}, 'Played here'), finishedList()),
    h('section', {class: 'card'}, h('h2', {}, 'Puzzles'), h('p', {}, 'Positions in which one move is clearly better than every other, from easy to hard.'), puzzleList()),
    h('section', {class: 'card'}, h('h2', {}, 'Sample games'), sampleList()),
    h('section', {class: 'card stack'}, h('h2', {}, 'Any record'),
      h('label', {for: 'record-text'}, 'Paste a game record, as plum match and the judge write them'), text, problem,
      h('div', {class: 'commit'}, h('button', {type: 'button', class: 'primary', onclick: () => go(text.value)}, 'Open'),
        h('label', {class: 'button', for: 'record-file'}, 'Choose a file'), file))));
  file.classList.add('file');
  return closeReview;
}

export async function learnView(place, [what, which, number], query) {
  if (!what) return choose(place);
  if (what === 'mine') {
    const match = Match.find(which);
    if (!match) return choose(place, 'That game is not in this browser any more.');
    await loadRules(); // a failure here does not mean that the game is damaged
    const source = await fromMatch(match.data).catch((error) => {
      if (error instanceof Unanswered) throw error;
      return {damage: match.putAway(error.message).message};
    });
    return source.damage ? choose(place, source.damage) : open(place, source);
  }
  if (what === 'puzzle') return puzzleView(place, which, number);
  if (what === 'tournament') return open(place, await fromTournament(which, number));
  const {text, index} = history.state || {};
  return open(place, await (text ? fromRecord(text, index) : fromLink(what, query)));
}
