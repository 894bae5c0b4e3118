// gameview: a game on its board: whose turn it is, what can be done, the moves, the end. play.js opens and closes it.
import {h, clear, copy, download, isConfirmed, prefersReducedMotion, wait} from './dom.js';
import {ask, isEngineLoaded, loadRules, think, stopThinking, noReport, Stopped} from './engine.js';
import {Unanswered} from './server.js';
import {Board, diagram} from './board.js';
import {gameOf} from './games.js';
import {Mover, costOf} from './mover.js';
import {Match, editLink, positionLink, reviewLink, absolute, title} from './match.js';
import {PlayerBar, placeBars, startsFlipped} from './players.js';
import {choiceOf} from './setup.js';
import {knock, isSoundOn, toggleSound} from './sound.js';
import {opinion, countText, lineOf, scoreText} from './opinion.js';
import {FAULT_LABELS, faultSummary, reasonText, scoreWords} from './ending.js';
import {iconButton, moreMenu, openChoices, setIcon} from './menu.js';
import {openRules} from './rules.js';
import {pageTitle, turnWords, winnerWords} from './turntext.js';
import {recall, remember} from './storage.js';

const pauseMs = () => (prefersReducedMotion() ? 60 : 380);
const BEST_MS = 1500;
const SHOWS_THINKING = 'plum.thinking';

export class GameView {
  // onSetUp(wanted): offers a new game; onBegin(choice): begins one; onDamage(why): the stored game cannot be continued.
  constructor(match, info, place, {onSetUp, onBegin, onDamage}) {
    Object.assign(this, {onSetUp, onBegin, onDamage});
    this.match = match;
    this.viewed = null; // the number of moves before the position on the board; null: the current one
    this.info = info;
    this.place = place;
    this.board = new Board(info, {
      label: `${gameOf(info.name).title}. Arrow keys move, Enter chooses, Escape takes a step back.`,
      onPick: (square) => this.run(() => this.mover.pick(square)), onDrop: (from, to) => this.run(() => this.mover.drop(from, to)),
      onLift: (square) => this.run(() => this.mover.lift(square)), onHover: (square) => this.onHover(square),
      canDrag: (square) => this.mover.canDrag(square),
    });
    this.mover = new Mover(this.board, {onMove: (move, position, unseen) => this.run(() => this.onMove(move, position, unseen)), onChange: () => this.refresh(), onRefuse: (text) => { this.detail.textContent = text; }});
    this.bars = {black: new PlayerBar(info.name, 'black'), white: new PlayerBar(info.name, 'white')};
    this.isAlive = true;
    this.isPaused = Boolean(match.data.isPaused);
    this.build();
    this.tick();
    this.timer = setInterval(() => this.tick(), 200);
    this.onKey = (event) => this.key(event);
    this.onOtherTab = () => this.follow();
    this.onPageHide = () => this.spend();
    addEventListener('keydown', this.onKey);
    addEventListener('storage', this.onOtherTab);
    addEventListener('pagehide', this.onPageHide);
    if (match.data.isFlipped ?? startsFlipped(info.name, this.sideOfPerson())) this.board.flip();
    placeBars(this.bars, this.board, this.sideOfPerson());
    // The men are on the board before the rules are loaded.
    this.showBoard();
    this.listMoves();
    this.showBars();
    this.status.textContent = 'Loading the rules …';
  }

  close() {
    this.spend();
    this.isAlive = false;
    clearInterval(this.timer);
    removeEventListener('keydown', this.onKey);
    removeEventListener('storage', this.onOtherTab);
    removeEventListener('pagehide', this.onPageHide);
    stopThinking();
    this.mover.stop();
  }

  sideOfPerson() {
    const people = ['black', 'white'].filter((side) => this.match.data.players[side].kind === 'human');
    return people.length === 1 ? people[0] : null;
  }

  hasPeople() { return Object.values(this.match.data.players).some((player) => player.kind === 'human'); }

  button(label, onclick, options = {}) {
    return h('button', {type: 'button', onclick, ...options}, label);
  }

  // Runs a task that may fail: then the page shows the error and a button to try again.
  async run(task) {
    try {
      await task();
    } catch (error) {
      if (!this.isAlive || error instanceof Stopped) return;
      this.mover.stop();
      this.status.textContent = error.message;
      this.detail.textContent = '';
      this.again.hidden = false;
    }
  }

  build() {
    this.status = h('p', {class: 'status', role: 'status'});
    this.detail = h('p', {class: 'detail', role: 'status'});
    this.send = this.button('Play this move', () => this.run(() => this.mover.send()), {class: 'primary', hidden: true});
    this.undo = this.button('Undo last step', () => this.run(() => this.mover.undo()), {hidden: true});
    this.pass = this.button('Pass', () => this.run(() => this.onMove('pass', null, '')), {class: 'primary', hidden: true});
    this.pause = this.button('', () => this.togglePause(), {hidden: this.hasPeople()});
    this.showPause();
    this.again = this.button('Try again', () => this.go(), {class: 'primary', hidden: true});
    this.goal = this.lesson();
    this.thinking = h('div', {class: 'thinking', 'aria-live': 'off'});
    this.now = this.button('Back to the game', () => this.view(null), {class: 'primary', hidden: true});
    this.moves = h('ol', {class: 'moves', 'aria-label': 'Moves'});
    this.hint = iconButton('hint', 'Hint', () => this.run(() => this.showHint()), {disabled: true});
    this.back = iconButton('back', 'Take back', () => this.takeBack(), {disabled: true});
    this.resign = this.button('Resign', () => this.run(() => this.giveUp()), {disabled: true});
    this.sound = iconButton('sound-off', 'Sound', () => this.showSound(toggleSound()));
    this.insight = this.button('How Plum thinks', () => this.toggleInsight(), {hidden: !this.hasPeople()});
    this.showInsight();
    this.showSound(isSoundOn());
    this.unkept = h('div', {class: 'notice', role: 'status', hidden: true}, h('p', {}, 'This browser cannot store the game: its storage is full or not allowed. A reload loses the game.'),
      this.button('Save the record', () => this.run(() => this.saveRecord())));
    this.banner = h('div', {class: 'banner', role: 'status', hidden: true});
    const actions = h('div', {class: 'actions'}, this.hint, this.back, this.sound, moreMenu('More', [this.button('New game', () => this.onSetUp({})),
      this.button('Flip', () => this.flip()), this.button('Share', () => this.share()), this.button('Edit the position', () => this.edit()), this.insight, this.resign]));
    this.prompt = h('div', {class: 'prompt'}, this.status, this.detail, h('div', {class: 'commit'}, this.now, this.send, this.undo, this.pass, this.pause, this.again));
    clear(this.place, h('div', {class: 'play', onfocusin: (event) => { this.focused = event.target; }},
      h('section', {class: 'stage', 'aria-label': 'Board'}, this.board.el),
      h('aside', {class: 'panel'}, h('div', {class: 'panel-head'}, h('h1', {class: 'panel-title'}, gameOf(this.info.name).title),
        this.button('Rules', () => openRules(this.info.name))),
        this.unkept, this.banner, this.prompt, actions, this.goal, this.thinking, this.moves)));
  }

  // The line that the engine expects begins with the best reply: while a person plays, only on request.
  get isInsightShown() { return !this.hasPeople() || recall(SHOWS_THINKING) === true; }

  toggleInsight() {
    remember(SHOWS_THINKING, !this.isInsightShown);
    this.showInsight();
  }

  showInsight() {
    this.insight.setAttribute('aria-pressed', String(this.isInsightShown));
    this.thinking.hidden = !this.isInsightShown;
  }

  showPause() { this.pause.textContent = this.isPaused ? 'Continue' : 'Pause'; }

  showSound(isOn) {
    this.sound.setAttribute('aria-pressed', String(isOn));
    setIcon(this.sound, isOn ? 'sound-on' : 'sound-off');
  }

  // Until both sides have moved: what the game is about.
  lesson() {
    const {goal, lesson} = gameOf(this.info.name);
    const picture = lesson ? diagram(this.info, lesson) : null;
    return h('div', {class: 'goal'}, picture, h('p', {}, goal(this.sideOfPerson())));
  }

  // --- The course of the game. ---

  go() { return this.run(() => this.turn()); }

  async turn() {
    const {match} = this;
    this.again.hidden = true;
    // Rules that cannot be loaded do not mean that the game is damaged.
    const asked = loadRules().then(() => ask('position', {game: match.data.game, position: match.position}).catch((error) => this.reportDamage(error)));
    this.asked = asked;
    const facts = await asked;
    if (!facts || !this.isAlive || asked !== this.asked) return;
    this.facts = facts;
    if (this.viewed === null) this.showBoard();
    this.turnStarted = performance.now() - match.data.spentMs;
    this.cost = null;
    if (this.facts.over && !match.data.ended) match.end(this.facts.result);
    this.refresh();
    this.listMoves();
    if (match.data.ended || this.isPaused) return;
    if (match.mover.kind === 'engine') await this.letEngineMove();
    else if (this.facts.moves[0] === 'pass') this.pass.focus();
    else if (this.viewed === null) await this.mover.start(match.data.game, match.position, match.lastSquares);
  }

  showBoard() {
    const {position, lastSquares} = this.match.at(this.viewed);
    this.board.show(position);
    this.board.mark({last: lastSquares});
  }

  // Shows an earlier position while the game continues; null: the current one.
  view(ply) {
    const {match} = this;
    if (!this.facts || ply === this.viewed) return;
    this.viewed = ply;
    this.mover.stop();
    this.showBoard();
    this.refresh();
    this.listMoves();
    this.board.el.scrollIntoView({block: 'nearest', behavior: 'instant'}); // a phone has no room for both
    const isMyTurn = ply === null && !match.data.ended && !this.isPaused && match.mover.kind === 'human' && this.facts.moves[0] !== 'pass';
    if (isMyTurn) this.run(() => this.mover.start(match.data.game, match.position, match.lastSquares));
  }

  step(by) {
    const last = this.match.data.plies.length;
    const ply = Math.max((this.viewed ?? last) + by, 0);
    this.view(ply < last ? ply : null);
  }

  reportDamage(error) {
    if (error instanceof Unanswered) throw error;
    if (!this.isAlive) return;
    this.onDamage(error.message);
  }

  // While a request to the rules is open, the move may be taken back, or made by another tab or a second click.
  isStillAt(position) { return this.isAlive && !this.isPaused && !this.match.data.ended && this.match.position === position; }

  async onMove(move, position, unseen) {
    const before = this.match.position;
    const after = position || (await ask('position', {game: this.match.data.game, position: before, moves: move})).position;
    if (this.isStillAt(before)) await this.play(move, after, unseen);
  }

  async play(move, after, unseen, thought = null) {
    const before = this.match.position;
    this.match.add(move, after, this.turnMs, thought);
    this.turnStarted = performance.now();
    // A search for a hint is about the previous position.
    if (!thought) stopThinking();
    // The next report of the engine replaces this one; between two people there is none.
    if (!thought && this.match.mover.kind === 'human') clear(this.thinking);
    if (this.viewed === null) this.board.mark({last: this.match.lastSquares});
    this.refresh();
    const changed = [...before.split(' ')[0]].filter((letter, at) => letter !== after[at]).length;
    knock(Math.max(1, changed - 2));
    if (this.viewed === null) await this.board.show(after, {move: /^\d/.test(unseen) ? unseen : null});
    if (this.isAlive && this.match.position === after) await this.go();
  }

  async letEngineMove() {
    const {match} = this;
    const {level} = match.mover;
    const started = performance.now();
    const question = {game: match.data.game, position: match.position, level, seed: match.data.seed, time_ms: level === 10 ? BEST_MS : undefined};
    const report = await think(question, (depth) => this.showThinking(depth));
    await wait(Math.max(0, pauseMs() - (performance.now() - started)));
    if (!this.isStillAt(question.position)) return;
    this.showThinking(report);
    const {position} = await ask('position', {game: match.data.game, position: question.position, moves: report.move});
    const {score, depth, nodes} = report;
    if (this.isStillAt(question.position)) await this.play(report.move, position, report.move, {score, depth, nodes});
  }

  // The clock does not run while the page is closed.
  get turnMs() {
    const isRunning = this.turnStarted && !this.isPaused && !this.match.data.ended;
    return isRunning ? performance.now() - this.turnStarted : this.match.data.spentMs;
  }

  spend() {
    if (this.match.data.ended) return;
    this.match.data.spentMs = this.turnMs;
    this.match.save();
  }

  // The same game has continued in another tab.
  follow() {
    const there = Match.find(this.match.id)?.data;
    const course = ({plies, ended}) => JSON.stringify([plies, ended]);
    if (!there || course(there) === course(this.match.data)) return;
    stopThinking();
    this.mover.stop();
    this.match.data = there;
    this.viewed = null;
    clear(this.thinking);
    this.go();
  }

  // --- Buttons. ---

  togglePause() {
    this.spend();
    this.isPaused = !this.isPaused;
    this.match.data.isPaused = this.isPaused;
    this.match.save();
    this.showPause();
    if (this.isPaused) stopThinking();
    this.go();
  }

  flip() {
    this.board.flip();
    placeBars(this.bars, this.board, this.sideOfPerson());
    this.match.data.isFlipped = this.board.isFlipped;
    this.match.save();
  }

  async showHint() {
    const {match} = this;
    if (this.hint.disabled) return;
    this.view(null);
    const {position} = match;
    this.detail.textContent = 'Plum is looking …';
    const report = await think({game: match.data.game, position, time_ms: 700}, (depth) => this.showThinking(depth)).catch(noReport);
    if (!report || !this.isAlive || match.position !== position) return;
    this.mover.advise(report.move.split('-'));
    this.showThinking(report);
    this.advice = `Plum would play ${report.move}. ${opinion(match.data.game, report.score, title(match.toMove))}.`;
    this.detail.textContent = this.advice;
  }

  takeBack() {
    if (!this.match.canTakeBack) return;
    stopThinking();
    this.mover.stop();
    this.match.takeBack();
    this.viewed = null;
    clear(this.thinking);
    this.go();
  }

  async giveUp() {
    const {match} = this;
    if (match.data.ended) return;
    const loser = this.sideOfPerson() || match.toMove;
    if (!await isConfirmed(this.sideOfPerson() ? 'Do you want to resign?' : `Does ${title(loser)} want to resign?`, 'Resign') || !this.isAlive) return;
    await this.loseBy(loser, 'resigned');
  }

  // The score is that of the last position, which may be newer than this.facts.
  async loseBy(loser, how) {
    const {match} = this;
    const {position} = match;
    const {result} = await ask('position', {game: match.data.game, position});
    if (!this.isAlive || match.data.ended) return;
    if (match.position === position) {
      stopThinking();
      this.mover.stop();
      this.spend();
      match.end(result, loser, how);
      await this.go();
    } else {
      await this.loseBy(loser, how);
    }
  }

  async saveRecord() { download(`${this.info.name}.txt`, 'text/plain', await this.match.record()); }

  share() {
    const {game} = this.match.data;
    openChoices('Share', [
      ['Copy a link to this position', () => copy(absolute(positionLink(game, this.match.position)), 'Link')],
      ['Copy a link to the whole game', () => copy(absolute(this.match.link(this.info.start)), 'Link')],
      ['Download the record', () => this.saveRecord()],
      ['Download a picture (SVG)', async () => download(`${game}.svg`, 'image/svg+xml', await ask('picture', {game, position: this.match.position}))],
    ]);
  }

  // The position on the board, also an earlier one.
  edit() { location.hash = editLink(this.info.name, this.match.at(this.viewed).position); }

  key(event) {
    if (event.ctrlKey || event.altKey || event.metaKey || event.target.closest?.('input, select, textarea, dialog')) return;
    if (event.key === 'Escape' || event.key === 'Backspace') this.run(() => this.mover.undo());
    const step = {ArrowLeft: -1, ArrowRight: 1}[event.key];
    if (!event.target.closest?.('.grid')) {
      if (step) this.step(step);
      return;
    }
    if (event.key === 'h') this.run(() => this.showHint());
    if (event.key === 'u') this.takeBack();
    if (event.key === 'f') this.flip();
  }

  // --- What is shown. ---

  onHover(square) {
    this.mover.hover(square);
    const way = this.mover.isOn && this.mover.next.find((next) => next.square === square);
    this.cost = way?.position && this.mover.path.length ? costOf(this.match.data.game, this.match.position, way.position) : null;
    this.showBars();
  }

  showBars() {
    const {match} = this;
    const {position} = match.at(this.viewed);
    for (const side of ['black', 'white']) {
      const isTurn = !match.data.ended && !match.isLost && match.toMove === side;
      this.bars[side].show({player: match.data.players[side], position, result: this.viewed === null ? this.facts?.result : null, isTurn, cost: isTurn ? this.cost : null});
    }
  }

  refresh() {
    const {match} = this;
    this.showBars();
    const {ended} = match.data;
    const isHuman = !ended && match.mover.kind === 'human';
    const mustPass = isHuman && this.facts?.position === match.position && this.facts.moves[0] === 'pass';
    this.pass.hidden = !mustPass;
    this.now.hidden = this.viewed === null;
    this.send.hidden = !(this.mover.canSend && this.mover.path.length > 1);
    this.undo.hidden = this.mover.path.length < 2;
    this.unkept.hidden = match.isKept;
    this.prompt.hidden = Boolean(ended) && this.viewed === null;
    this.goal.hidden = match.data.plies.length > 1 || Boolean(ended) || !this.hasPeople();
    this.hint.disabled = !isHuman || mustPass;
    this.back.disabled = !match.canTakeBack;
    this.resign.disabled = Boolean(ended) || !this.hasPeople();
    this.pause.hidden = this.hasPeople() || Boolean(ended);
    this.showStatus(isHuman, mustPass);
    this.showQuestion(mustPass || this.mover.path.length > 1);
    this.showBanner();
    this.keepFocus();
  }

  // A button that is hidden or disabled loses the focus, in some browsers at once: then the board gets it.
  keepFocus() {
    const {activeElement} = document;
    const isLost = activeElement === document.body || activeElement === this.focused;
    if (isLost && this.focused && (this.focused.disabled || !this.focused.checkVisibility())) this.board.focus();
  }

  // On a phone the question covers a part of the page: the page scrolls so that the board is not covered. With the phone held sideways
  // the question is next to the board.
  showQuestion(isAsking) {
    this.prompt.classList.toggle('is-asking', isAsking);
    const {position} = getComputedStyle(this.prompt);
    if (isAsking && position === 'sticky') this.board.el.scrollIntoView({block: 'nearest', behavior: 'instant'});
    if (position !== 'fixed') return;
    const covered = this.board.el.getBoundingClientRect().bottom - this.prompt.getBoundingClientRect().top;
    if (covered > 0) scrollBy({top: covered, behavior: 'instant'});
  }

  showStatus(isHuman, mustPass) {
    const {match, mover, viewed} = this;
    const [status, detail] = turnWords(match, {person: this.sideOfPerson(), isHuman, mustPass, mover, viewed, isPaused: this.isPaused, advice: mover.hint.length ? this.advice : ''});
    if (this.status.textContent !== status) this.status.textContent = status;
    const isWaiting = !isHuman && !match.data.ended && !this.isPaused && !isEngineLoaded();
    this.detail.textContent = detail || (isWaiting ? 'The engine is being loaded …' : '');
    document.title = pageTitle(match, this.sideOfPerson());
  }

  // What the banner offers after the game.
  nextSteps(isWon) {
    const choice = choiceOf(this.match.data);
    const next = isWon && choice.level < 10 ? String(Number(choice.level) + 1) : '';
    return [next ? this.button(`Play level ${next}`, () => this.onBegin({...choice, level: next}), {class: 'primary'}) : null,
      h('a', {class: `button${next ? '' : ' primary'}`, href: reviewLink(this.match.data)}, 'Learn from it'), this.button('Play again', () => this.onSetUp(choice))];
  }

  // A banner that is shown stays as it is: its buttons may have the focus.
  showBanner() {
    const {ended} = this.match.data;
    this.banner.hidden = !ended;
    if (!ended || this.shownEnd === ended) return;
    this.shownEnd = ended;
    const person = this.sideOfPerson();
    const game = this.info.name;
    const isWon = person === ended.outcome;
    this.banner.classList.toggle('is-won', isWon);
    clear(this.banner, h('h2', {}, winnerWords(this.match, person)), h('p', {class: 'score'}, scoreWords(game, ended, this.match.position, person)), h('p', {}, reasonText(game, ended, this.match.position, person), faultSummary(game, this.match.data.plies).map(({words: [before, after], first}) => ` ${before} move ${first}${after}.`)),
      h('div', {class: 'commit'}, this.nextSteps(isWon)));
    this.banner.scrollIntoView({block: 'nearest', behavior: 'instant'});
  }

  showThinking(report) {
    const side = title(report.forSide || this.match.toMove);
    clear(this.thinking, h('h2', {}, 'How Plum thinks'), h('p', {}, report.depth ? [h('b', {}, `depth ${report.depth}`), ' · '] : null, `${countText(report.nodes)} positions · `,
      h('b', {}, scoreText(report.score)), ` for ${side}`), h('p', {class: 'line'}, lineOf(report.line)));
  }

  // Each move leads to the position after it. The list is one stop of the Tab key; arrow keys step through it.
  listMoves() {
    const {plies} = this.match.data;
    const shown = (this.viewed ?? plies.length) - 1;
    const hadFocus = this.moves.contains(document.activeElement);
    const reached = Math.max(shown, 0);
    const items = plies.map((ply, at) => h('li', {class: `${ply.side}${at === shown ? ' is-now' : ''}`},
      h('button', {type: 'button', tabindex: at === reached ? null : '-1', 'aria-current': at === shown ? 'step' : null, onclick: () => this.view(at + 1 < plies.length ? at + 1 : null)}, ply.move),
      ply.fault ? [' ', h('span', {class: 'fault'}, FAULT_LABELS[ply.fault])] : null));
    clear(this.moves, items);
    const now = items[reached];
    if (hadFocus) (now?.firstChild || this.board.elements[this.board.focused]).focus({preventScroll: true});
    if (now) this.moves.scrollTop = now.offsetTop - this.moves.offsetTop - this.moves.clientHeight / 2;
  }

  tick() {
    const {match} = this;
    for (const side of ['black', 'white']) {
      const isTurn = match.toMove === side;
      const used = match.usedMs(side) + (isTurn ? this.turnMs : 0);
      this.bars[side].tick(used, match.data.limitMs);
      if (isTurn && this.facts && !match.data.ended && match.data.limitMs && used > match.data.limitMs) this.run(() => this.loseBy(side, 'time'));
    }
  }
}
