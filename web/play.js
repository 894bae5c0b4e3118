// play: the page of a game between people and engines in any combination.
import {h, clear, copy, download, isConfirmed, openDialog, prefersReducedMotion, toast, wait} from './dom.js';
import {ask, loadRules, gameInfo, allGames, allLevels, think, stopThinking, noReport, Stopped} from './engine.js';
import {Board} from './board.js';
import {Unanswered} from './server.js';
import {gameOf} from './games.js';
import {Mover, costOf} from './mover.js';
import {Match, other, title, playerName, positionLink, reviewLink, tableLink, absolute, unpackPosition} from './match.js';
import {PlayerBar, placeBars, startsFlipped} from './players.js';
import {chooseGame, choiceOf, playersOf} from './setup.js';
import {holdAuction} from './auction.js';
import {knock, isSoundOn, toggleSound} from './sound.js';
import {opinion, countText, lineOf, scoreText} from './opinion.js';
import {endText, outcomeText} from './ending.js';
import {showProblem} from './problem.js';
import {recall, remember} from './storage.js';

const pauseMs = () => (prefersReducedMotion() ? 60 : 380);
const BEST_MS = 1500;
const SHOWS_THINKING = 'plum.thinking';

class Table {
  // onDamage(error): the stored game cannot be continued.
  constructor(match, info, place, onDamage) {
    this.match = match;
    this.onDamage = onDamage;
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
    this.board.show(match.position);
    this.board.mark({last: match.lastSquares});
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
    this.goal = h('p', {class: 'goal'}, gameOf(this.info.name).goal(this.sideOfPerson()));
    this.thinking = h('div', {class: 'thinking', 'aria-live': 'off'});
    this.moves = h('ol', {class: 'moves', 'aria-label': 'Moves', tabindex: '0'});
    this.hint = this.button('Hint', () => this.run(() => this.showHint()), {disabled: true});
    this.back = this.button('Take back', () => this.takeBack(), {disabled: true});
    this.resign = this.button('Resign', () => this.run(() => this.giveUp()), {disabled: true});
    this.sound = this.button('Sound', () => this.showSound(toggleSound()));
    this.insight = this.button('How Plum thinks', () => this.toggleInsight(), {hidden: !this.hasPeople()});
    this.showInsight();
    this.showSound(isSoundOn());
    this.banner = h('div', {class: 'banner', role: 'status', hidden: true});
    const actions = h('div', {class: 'actions'}, this.hint, this.back, this.button('Flip', () => this.flip()), this.resign,
      this.button('Share', () => this.share()), this.sound, this.insight, this.button('New game', () => startGame(this.place)));
    this.prompt = h('div', {class: 'prompt'}, this.status, this.detail, h('div', {class: 'commit'}, this.send, this.undo, this.pass, this.pause, this.again));
    clear(this.place, h('div', {class: 'play', onfocusin: (event) => { this.focused = event.target; }},
      h('section', {class: 'stage', 'aria-label': 'Board'}, this.board.el),
      h('aside', {class: 'panel'}, h('div', {class: 'panel-head'}, h('h1', {class: 'panel-title'}, gameOf(this.info.name).title),
        h('a', {class: 'button', href: `#/rules/${this.info.name}`}, 'Rules')), this.goal,
        this.banner, this.prompt, actions, this.thinking, this.moves)));
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

  showSound(isOn) { this.sound.setAttribute('aria-pressed', String(isOn)); }

  // --- The course of the game. ---

  go() { return this.run(() => this.turn()); }

  async turn() {
    const {match} = this;
    this.again.hidden = true;
    // Rules that cannot be loaded do not mean that the game is damaged.
    const asked = loadRules().then(() => ask('position', {game: match.data.game, position: match.position}).catch((error) => this.giveAway(error)));
    this.asked = asked;
    const facts = await asked;
    if (!facts || !this.isAlive || asked !== this.asked) return;
    this.facts = facts;
    this.board.show(match.position);
    this.board.mark({last: match.lastSquares});
    this.turnStarted = performance.now() - match.data.spentMs;
    this.cost = null;
    if (this.facts.over && !match.data.ended) match.end(this.facts.result);
    this.refresh();
    this.listMoves();
    if (match.data.ended || this.isPaused) return;
    if (match.mover.kind === 'engine') await this.letEngineMove();
    else if (this.facts.moves[0] === 'pass') this.pass.focus();
    else await this.mover.start(match.data.game, match.position, match.lastSquares);
  }

  giveAway(error) {
    if (error instanceof Unanswered) throw error;
    this.match.forget();
    this.onDamage(new Error(`The game that was kept here is damaged and was put away: ${error.message}`));
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
    this.board.mark({last: this.match.lastSquares});
    this.refresh();
    const changed = [...before.split(' ')[0]].filter((letter, at) => letter !== after[at]).length;
    knock(Math.max(1, changed - 2));
    await this.board.show(after, {move: /^\d/.test(unseen) ? unseen : null});
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

  share() {
    const {data} = this.match;
    const item = (label, action) => h('button', {type: 'button', onclick: () => {
      dialog.close();
      action().catch((error) => toast(error.message));
    }}, label);
    const dialog = h('dialog', {class: 'share', 'aria-label': 'Share'}, h('h2', {}, 'Share'), h('div', {class: 'stack'},
      item('Copy a link to this position', () => copy(absolute(positionLink(data.game, this.match.position)), 'Link')),
      item('Copy a link to the whole game', () => copy(absolute(this.match.link(this.info.start)), 'Link')),
      item('Download the record', async () => download(`${data.game}.txt`, 'text/plain', await this.match.record())),
      item('Download a picture (SVG)', async () => download(`${data.game}.svg`, 'image/svg+xml',
        await ask('picture', {game: data.game, position: this.match.position}))),
      h('button', {type: 'button', class: 'quiet', onclick: () => dialog.close()}, 'Close')));
    openDialog(dialog);
  }

  key(event) {
    if (event.ctrlKey || event.altKey || event.metaKey || event.target.closest?.('input, select, textarea, dialog')) return;
    if (event.key === 'Escape' || event.key === 'Backspace') this.run(() => this.mover.undo());
    if (!event.target.closest?.('.grid')) return;
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
    for (const side of ['black', 'white']) {
      const isTurn = !match.data.ended && match.toMove === side;
      this.bars[side].show({player: match.data.players[side], position: match.position, result: this.facts?.result, isTurn, cost: isTurn ? this.cost : null});
    }
  }

  refresh() {
    const {match} = this;
    this.showBars();
    const {ended} = match.data;
    const isHuman = !ended && match.mover.kind === 'human';
    const mustPass = isHuman && this.facts?.position === match.position && this.facts.moves[0] === 'pass';
    this.pass.hidden = !mustPass;
    this.send.hidden = !(this.mover.canSend && this.mover.path.length > 1);
    this.undo.hidden = this.mover.path.length < 2;
    this.prompt.hidden = Boolean(ended);
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
    const {match, mover} = this;
    const {chain, hasBudgets} = gameOf(match.data.game);
    const who = title(match.toMove);
    const mate = title(other(match.toMove));
    const said = !match.lastMove ? '' : match.lastMove === 'pass' ? `${mate} had to pass. ` : `${mate} played ${match.lastMove}. `;
    const advice = mover.hint.length ? this.advice : '';
    const set = (status, detail) => {
      if (this.status.textContent !== status) this.status.textContent = status;
      this.detail.textContent = detail;
    };
    if (match.data.ended) set('', '');
    else if (this.isPaused) set('Paused.', '');
    else if (!isHuman) set(`${said}${who}: ${playerName(match.mover)} is thinking …`, '');
    else if (mustPass) set(`${said}${who} has no move and must pass.`, '');
    else if (mover.path.length > 1) {
      const taken = Object.keys(mover.after ? mover.taken(mover.after) : {}).length;
      set(`${who}: ${mover.path.length - 1} ${mover.path.length === 2 ? chain.one : chain.many} so far${taken ? `, ${taken} captured` : ''}.`,
        `${mover.next.length ? chain.more : chain.last} the move, with the button or its last square once more.`);
    } else if (mover.path.length) set(`${who}: choose where to go.`, advice || (hasBudgets ? 'The numbers show what each move does to the budget.' : ''));
    else set(`${said}${who} to move.`, advice);
  }

  showBanner() {
    const {ended} = this.match.data;
    this.banner.hidden = !ended;
    if (!ended) return;
    const person = this.sideOfPerson();
    const head = ended.outcome === 'draw' || !person ? outcomeText(ended.outcome) : person === ended.outcome ? 'You win!' : 'Plum wins';
    clear(this.banner, h('h2', {}, head), h('p', {}, endText(this.info.name, ended, this.match.position, person)), h('div', {class: 'commit'},
      h('a', {class: 'button primary', href: reviewLink(this.match.data)}, 'Learn from it'), this.button('Play again', () => startGame(this.place, choiceOf(this.match.data)))));
  }

  showThinking(report) {
    const side = title(report.forSide || this.match.toMove);
    clear(this.thinking, h('h2', {}, 'How Plum thinks'), h('p', {}, report.depth ? [h('b', {}, `depth ${report.depth}`), ' · '] : null, `${countText(report.nodes)} positions · `,
      h('b', {}, scoreText(report.score)), ` for ${side}`), h('p', {class: 'line'}, lineOf(report.line)));
  }

  listMoves() {
    const {plies} = this.match.data;
    const items = plies.map((ply, at) => h('li', {class: `${ply.side}${at === plies.length - 1 ? ' is-now' : ''}`}, ply.move));
    clear(this.moves, items);
    this.moves.scrollTop = this.moves.scrollHeight;
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

let table = null;
let latestId = ''; // of the game that this tab showed last

// Resolves when the auction of this game has continued in another tab.
function auctionContinuesElsewhere(match, signal) {
  return new Promise((done) => {
    addEventListener('storage', () => {
      const there = Match.find(match.id)?.data;
      if (there && JSON.stringify(there.auction) !== JSON.stringify(match.data.auction)) done(null);
    }, {signal});
  });
}

// Runs the auction, here or in another tab.
async function runAuction(match, place) {
  while (match.data.auction && place.isConnected) {
    const {players: {black: first, white: second}, auction, seed} = match.data;
    const listening = new AbortController();
    const result = await Promise.race([holdAuction(place, match.data.game, [first, second], auction.bids, seed, () => match.save()), auctionContinuesElsewhere(match, listening.signal)]);
    listening.abort();
    const there = Match.find(match.id)?.data;
    if (!result || (there && !there.auction)) {
      match.data = there;
    } else {
      Object.assign(match.data, {start: result.position, bids: result.bids, auction: null,
        players: result.colour[0] === 0 ? {black: first, white: second} : {black: second, white: first}});
      match.save();
    }
  }
}

async function openTable(match, place) {
  const info = await gameInfo(match.data.game);
  if (!place.isConnected) return;
  closeTable();
  match.save();
  latestId = match.id;
  history.replaceState(null, '', tableLink(match.data));
  await runAuction(match, place);
  if (!place.isConnected) return;
  table = new Table(match, info, place, (error) => {
    closeTable();
    showProblem(place, error);
  });
  // A keyboard can begin at once; a finger needs no frame around a square.
  if (document.activeElement === document.body && matchMedia('(hover: hover)').matches) table.board.focus();
  table.go();
}

async function begin(choice, place) {
  const info = await gameInfo(choice.game);
  const auction = info.auction && !choice.position ? {bids: [null, null]} : null;
  Match.tidy();
  const players = playersOf(auction ? {...choice, side: 'black'} : choice);
  await openTable(Match.create({game: info.name, start: choice.position || info.start, players, auction, limitMs: Number(choice.minutes) * 60000}), place);
}

async function startGame(place, wanted = {}, notice = '') {
  const choice = await chooseGame(await allGames(), await allLevels(), wanted, notice);
  if (choice) await begin(choice, place);
  return Boolean(choice);
}

function latest() {
  const [first] = Match.running();
  return Match.find(latestId) || (first ? new Match(first) : null);
}

// The settings in a link, or an error with the values that they can have.
function settingsOf(game, query, position) {
  const one = (name, fallback, allowed) => {
    const value = query.get(name) ?? fallback;
    if (!allowed.includes(value)) throw new Error(`This link has ${name}=${value}; the value can be ${allowed.join(', ')}.`);
    return value;
  };
  const strengths = Array.from({length: 10}, (_, at) => String(at + 1));
  const level = one('level', '', strengths);
  return {game, position, level, rival: one('rival', level, strengths), kind: one('kind', 'engine', ['engine', 'people', 'engines']),
    side: one('side', 'black', ['black', 'white', 'any']), minutes: '0'};
}

async function playAsAsked(place, game, query) {
  await gameInfo(game);
  const position = query.get('position') && unpackPosition(query.get('position'));
  if (position) await ask('position', {game, position});
  if (query.has('level')) {
    await begin(settingsOf(game, query, position), place);
    return true;
  }
  return startGame(place, {game, ...(position && {position})});
}

// Where a dialog that was cancelled leads back to.
const isDialog = (address) => /^#\/play\/(?!table\/)/.test(address);

export async function playView(place, [game, id], query, cameFrom) {
  loadRules().catch(() => {}); // the table reports a failure
  let isOpen = true;
  if (game === 'table') {
    const match = Match.find(id);
    if (match) await openTable(match, place);
    else isOpen = await startGame(place, {}, 'That game is not in this browser any more. Here is a new one.');
  } else if (!game && latest()) {
    await openTable(latest(), place);
  } else {
    isOpen = await (!game || game === 'new' ? startGame(place) : playAsAsked(place, game, query));
  }
  // If the dialog was closed by a change of page, that page stays.
  if (!isOpen && place.isConnected) location.replace(isDialog(cameFrom) ? '#/' : cameFrom || '#/');
  // If the user has left this page, another game may be open already.
  return place.isConnected ? closeTable : null;
}

function closeTable() {
  table?.close();
  table = null;
}
