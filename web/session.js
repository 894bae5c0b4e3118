// session: a game with an agent. The server plays it; this page shows it and sends what the person does.
import {h, clear, isConfirmed, toast, wait} from './dom.js';
import {ask, gameInfo, loadRules} from './engine.js';
import {askServer, isFirstView, playerOf, tokenOf} from './agentlist.js';
import {auctionPage, bidForm, BID_RULES, COLOURS, explain, showBids} from './auction.js';
import {FAULT_LABELS} from './ending.js';
import {GameView} from './gameview.js';
import {Match, gameLink, playerName} from './match.js';
import {openRules} from './rules.js';
import {sentence, Unanswered} from './server.js';
import {chooseAndBegin} from './play.js';
import {knock} from './sound.js';
import {fromRecord} from './source.js';

const ASK_AGAIN_MS = 2000;
const LOG_MS = 1000;
const PACE_MS = 450; // between two moves of programs, at most
const CATCH_UP_MS = 20000; // in which a game that was played at once is shown, …
const LONGEST_MS = 30000; // … or, where the browser is slow, its last position
const MOTION_MS = 250; // a move that has less time is shown without motion

const secondsText = (ms) => `${(ms / 1000).toFixed(1)} s`;

// Changes what an element shows; if its end was in view, it stays in view.
function changeList(el, change) {
  const isAtEnd = el.scrollTop + el.clientHeight >= el.scrollHeight - 2;
  change();
  if (isAtEnd) el.scrollTop = el.scrollHeight;
}

const plyOf = ({side, move, position, time_ns: ns = 0, depth, score, nodes, fault}) => ({side, move, position, ms: Math.round(ns / 1e6), depth, score, nodes, fault});

// A state as it was after `count` plies.
const stateAfter = (state, count) => ({...state, isPast: state.phase === 'over' || state.phase === 'ended', phase: 'playing', turn: null, result: null, forfeit: false, ply_count: count, plies: state.plies.slice(0, count), faults: state.faults.filter(({ply}) => ply <= count)});

// The result of an auction, for showBids.
async function dealOf({bids: text, players, game}) {
  const bids = text.split(', ').slice(0, 2).map((bid) => bid.split(' ').map(Number)).map(([colour, price]) => ({colour, price}));
  return {bids, outcome: await ask('auction', {game, bids: text}), names: players.map((one) => playerName(playerOf(one)))};
}

// A state from the server. source: the game as its record has it, once it is over.
async function withSource(state) {
  return {...state, source: state.record ? await fromRecord(state.record).catch(() => null) : null};
}

// A game as the server has it; nothing of it is stored here.
class SessionMatch extends Match {
  constructor(state, info) {
    super({game: state.game, plies: [], limitMs: 0, spentMs: 0, auction: null, seed: 0, date: new Date().toISOString().slice(0, 10)});
    this.first = info.start;
    this.take(state);
  }

  take(state) {
    const {players, plies, result, forfeit, start, bids} = state;
    // Without colours the side of a result is that of the order of bidding.
    const loser = result && !start ? playerName(playerOf(players[result.outcome === 'black' ? 1 : 0])) : undefined;
    const second = players[0].side === 'white';
    this.state = {...state, at: performance.now()};
    Object.assign(this.data, {start: start ?? this.first, bids, players: {black: playerOf(players[second ? 1 : 0]), white: playerOf(players[second ? 0 : 1])},
      plies: plies.map(plyOf), ended: result && (this.data.ended ?? {...result, loser, how: forfeit ? result.reason : ''})});
  }

  // How long a side has thought, with the turn that is running.
  spentBy(side) {
    const {players, turn, at} = this.state;
    const seat = players.findIndex((one, number) => (one.side ?? ['black', 'white'][number]) === side);
    const now = turn && turn.player === seat + 1 ? turn.time_ms + performance.now() - at : 0;
    return players[seat].thinking_ms + now;
  }

  get isLost() { return this.state.phase === 'ended'; }
  get canTakeBack() { return false; }
  get isKept() { return true; }
  store() {}
  async record() { return this.state.record || super.record(); }

  link(first, you = null) {
    const {source} = this.state;
    const {black, white} = this.data.players;
    return source ? gameLink({...source, names: {black: playerName(black), white: playerName(white)}, you}, first) : super.link(first, you);
  }
}

class SessionView extends GameView {
  // onSkip(): the reader does not want to see the moves one by one.
  constructor(match, info, place, {act, endGame, readLog, onSkip, ...options}) {
    super(match, info, place, options);
    Object.assign(this, {act, endGame, readLog, onSkip});
    this.showSession();
  }

  build() {
    super.build();
    const agents = this.match.state.players.filter(({kind}) => kind === 'agent');
    this.back.hidden = true;
    this.turnClock = h('p', {class: 'soft small turn-clock'});
    this.deal = h('div', {class: 'small'});
    this.faults = h('ol', {class: 'faults'});
    this.faultBox = h('details', {class: 'fault-box', hidden: true, open: true}, h('summary', {}, 'Faults'),
      h('div', {class: 'fault-list', tabindex: '0', role: 'region', 'aria-label': 'Faults'}, this.faults));
    this.logs = agents.map(({name}) => h('div', {class: 'log', tabindex: '0', role: 'region', 'aria-label': `Log of ${name}`}));
    this.logBox = h('details', {class: 'log-box', ontoggle: () => this.followLogs()}, h('summary', {}, 'Log'),
      agents.map(({name}, at) => [h('h2', {}, name), this.logs[at]]));
    this.end = this.button('End the game', () => this.run(() => this.endGame()));
    this.skip = this.button('To the end', () => this.onSkip(), {hidden: true});
    this.restart = this.button('Play again', () => this.onSetUp({game: this.info.name}));
    this.moves.after(h('section', {class: 'session', 'aria-label': 'Agent'}, this.turnClock, this.deal, this.faultBox, this.logBox, h('div', {class: 'commit'}, this.skip, this.end, this.restart)));
  }

  // --- The course of the game: everything comes from the server. ---

  // isQuick: without motion.
  async receive(state, isQuick = false) {
    const {match} = this;
    const before = match.data.plies.length;
    const {expects, phase} = match.state;
    match.take(state);
    this.showSession();
    const {plies} = match.data;
    if (plies.length > before) {
      const last = plies.at(-1);
      const isOwn = this.sent === last.position;
      this.mover.stop();
      this.sent = null;
      if (this.viewed === null) this.board.mark({last: match.lastSquares});
      if (!isOwn) knock(1);
      this.refresh();
      if (this.viewed === null) await this.board.show(last.position, {move: /^\d/.test(last.move) && !isOwn && !isQuick ? last.move : null, isInstant: isQuick});
    }
    if (this.isAlive && (plies.length > before || state.expects !== expects || state.phase !== phase)) await this.go();
  }

  async turn() {
    const {match} = this;
    this.again.hidden = true;
    const asked = loadRules().then(() => ask('position', {game: match.data.game, position: match.position}));
    this.asked = asked;
    const facts = await asked;
    if (!this.isAlive || asked !== this.asked) return;
    this.facts = facts;
    this.cost = null;
    if (this.viewed === null && !this.sent) this.showBoard();
    this.refresh();
    this.listMoves();
    if (match.state.expects === 'move' && !this.sent && this.viewed === null) await this.mover.start(match.data.game, match.position, match.lastSquares);
  }

  isStillAt() { return false; }

  async onMove(move, position, unseen) {
    const {match} = this;
    const ply = match.data.plies.length;
    if (match.state.expects !== 'move' || this.sent) return;
    this.sent = position;
    this.refresh();
    knock(1);
    const shown = this.board.show(position, {move: /^\d/.test(unseen) ? unseen : null});
    try {
      await this.act(`move?${new URLSearchParams({move, ply})}`);
    } catch (error) {
      this.sent = null;
      toast(error.message);
      await this.go();
    }
    await shown;
  }

  async giveUp() {
    if (!this.match.data.ended && await isConfirmed('Do you want to resign?', 'Resign') && this.isAlive) await this.act('resign');
  }

  spend() {}
  follow() {}
  takeBack() {}

  // --- What is shown. ---

  nextSteps() {
    return [this.match.data.plies.length ? h('a', {class: 'button primary', href: this.match.link(this.info.start, this.sideOfPerson())}, 'Learn from it') : null, this.button('Play again', () => this.onSetUp({game: this.info.name}))];
  }

  refresh() {
    super.refresh();
    const {match} = this;
    this.pause.hidden = true;
    this.pass.hidden = true;
    if (match.isLost || this.sent) this.hint.disabled = true;
    if (match.isLost) this.resign.disabled = true;
    this.skip.hidden = !match.state.isPast;
    this.end.hidden = match.isLost || Boolean(match.data.ended) || Boolean(match.state.isPast);
    this.restart.hidden = !match.isLost;
    this.keepFocus();
  }

  showStatus(isHuman, mustPass) {
    const {state, isLost} = this.match;
    super.showStatus(isHuman && !this.sent, mustPass);
    if (isLost) this.status.textContent = `The game ended without a result: ${state.why}.`;
    else if (state.isPast) this.status.textContent = 'The game is over. Its moves are shown one by one.';
    else if (!isHuman && this.hasCrashed(this.match.toMove)) this.status.textContent = `${playerName(this.match.mover)} has crashed. The judge plays or skips its turns.`;
    else if (state.phase === 'starting') this.status.textContent = this.info.auction ? 'The agent is being started and bids …' : 'The agent is being started …';
    if (!isHuman || isLost) this.detail.textContent = '';
  }

  hasCrashed(side) { return this.match.data.plies.some((ply) => ply.side === side && ply.fault === 'crashed'); }

  showSession() {
    const {state} = this.match;
    this.faultBox.hidden = !state.faults.length;
    this.faultBox.firstChild.textContent = `Faults: ${state.faults.length}`;
    if (this.faults.childElementCount !== state.faults.length) {
      changeList(this.faults.parentNode, () => clear(this.faults, state.faults.map(({ply, kind, team, why}) => h('li', {}, h('b', {}, `${team === 'human' ? 'You' : team}, ${state.start ? `move ${ply}` : 'before the first move'}: ${FAULT_LABELS[kind]}. `), sentence(why)))));
    }
    if (state.bids && !this.deal.textContent) this.showDeal(state).catch(() => {});
  }

  async showDeal(state) {
    const {bids, outcome, names} = await dealOf(state);
    clear(this.deal, h('p', {}, `Bids: ${bids.map(({colour, price}) => `${COLOURS[colour]} ${price}`).join(' and ')}. ${explain(bids, outcome, names).join(' ')}`));
  }

  async followLogs() {
    if (this.isReadingLogs) return;
    this.isReadingLogs = true;
    for (let isLast = false; this.isAlive && this.logBox.open && !isLast; await wait(LOG_MS)) {
      isLast = !this.match.state.running;
      const {players} = await this.readLog().catch(() => ({players: null}));
      if (!players) break;
      players.filter((one, at) => this.match.state.players[at].kind === 'agent').forEach(({stderr, stdout}, at) => {
        const streams = [['Standard output', stdout], ['Standard error', stderr]].filter(([, text]) => text);
        const key = JSON.stringify(streams);
        if (this.logs[at].shown === key) return;
        this.logs[at].shown = key;
        changeList(this.logs[at], () => clear(this.logs[at], streams.length ? streams.map(([name, text]) => [h('h3', {}, name), h('pre', {}, text)])
          : h('p', {}, 'It has written nothing to standard error. Over TCP and files standard output is shown as well; else it is the protocol.')));
      });
    }
    this.isReadingLogs = false;
  }

  tick() {
    const {state} = this.match;
    for (const side of ['black', 'white']) this.bars[side].tick(this.match.spentBy(side), 0);
    const {turn} = state;
    const who = turn && state.players[turn.player - 1];
    const text = turn && turn.limit_ms !== null ? `${playerName(playerOf(who))}: ${secondsText(turn.time_ms + performance.now() - state.at)} of ${secondsText(turn.limit_ms)} for this move` : '';
    if (this.turnClock.textContent !== text) this.turnClock.textContent = text;
  }
}

function askForBid(place, info, rival, onBid) {
  const form = bidForm('You', rival, false, onBid, () => ask('bid', {game: info.name}));
  auctionPage(place, info, 'The auction', () => openRules(info.name), BID_RULES(), form);
  form.querySelector('input').focus({preventScroll: true});
}

export async function sessionView(place, [id]) {
  const leaving = new AbortController();
  const path = `sessions/${encodeURIComponent(id)}`;
  const act = (what) => askServer(`${path}/${what}`, {method: 'POST', token: tokenOf(id)});
  const endGame = async () => {
    if (await isConfirmed('End this game without a result?', 'End the game') && place.isConnected) await act('stop');
  };
  let state = await withSource(await askServer(path));
  const info = await gameInfo(state.game);
  let view = null;
  let isAsked = false; // this page asked for the bid, and shows both when they are open
  let isUnveiling = false;
  const notice = h('p', {class: 'notice', role: 'status', hidden: true});
  const stage = h('div', {});
  clear(place, notice, stage);
  const hasPerson = state.players.some(({kind}) => kind === 'person');
  const report = (error) => {
    notice.textContent = error.message;
    notice.hidden = false;
  };
  // Programs play faster than a spectator sees: their moves are shown one by one.
  let isStepping = false;
  let isSkipped = false;
  const step = async () => {
    if (isStepping) return;
    isStepping = true;
    const start = performance.now();
    try {
      for (let shown = null; shown !== state && !leaving.signal.aborted;) {
        const next = view.match.data.plies.length + 1;
        const began = performance.now();
        const spent = began - start;
        const isBehind = next < state.plies.length && !isSkipped && spent < LONGEST_MS;
        const pace = Math.min(PACE_MS, (CATCH_UP_MS - spent) / Math.max(1, state.plies.length - next + 1));
        const isQuick = isSkipped || pace < MOTION_MS;
        shown = isBehind ? null : state;
        await view.receive(isBehind ? stateAfter(state, next) : state, isQuick);
        if (isBehind) await wait(isQuick ? began + pace - performance.now() : pace);
      }
    } finally {
      isStepping = false;
      isSkipped = false;
    }
  };
  const show = async () => {
    if (view && hasPerson) return view.receive(state);
    if (view) return void step().catch(report);
    if ((isAsked || history.state?.hasOpenBids) && state.bids) {
      isAsked = false;
      isUnveiling = true;
      history.replaceState({...history.state, hasOpenBids: true}, ''); // for a reload
      showBids(stage, info, () => openRules(info.name), {...await dealOf(state), onGo: () => {
        isUnveiling = false;
        history.replaceState({...history.state, hasOpenBids: false}, '');
        show().catch(report);
      }});
    }
    if (isUnveiling) return undefined;
    if (state.start || !hasPerson || state.phase === 'over' || state.phase === 'ended') {
      const seen = !hasPerson && isFirstView(id) && state.plies.length ? stateAfter(state, 0) : state;
      view = new SessionView(new SessionMatch(seen, info), info, stage, {act, endGame, readLog: () => askServer(`${path}/log`), onSkip: () => { isSkipped = true; }, onSetUp: chooseAndBegin, onBegin: chooseAndBegin, onDamage: () => {}});
      if (!place.contains(document.activeElement) && matchMedia('(hover: hover)').matches) view.board.focus();
      await view.go();
      return seen === state ? undefined : void step().catch(report);
    }
    const rival = state.players.map(playerOf).map(playerName).find((name) => name !== 'You');
    if (state.expects === 'bid' && !isAsked) {
      isAsked = true;
      askForBid(stage, info, rival, (bid) => act(`bid?${new URLSearchParams(bid)}`).catch((error) => toast(error.message)));
    } else if (state.expects !== 'bid') {
      auctionPage(stage, info, 'The auction', () => openRules(info.name), h('p', {role: 'status'}, state.phase === 'starting' ? `${rival} is being started …` : `${rival} is bidding …`),
        h('div', {class: 'commit'}, h('button', {type: 'button', onclick: () => endGame().catch((error) => toast(error.message))}, 'End the game')));
    }
    return undefined;
  };
  // Asks for what comes after the state that is shown. An answer comes at the latest after ten seconds.
  const follow = async () => {
    while (!leaving.signal.aborted) {
      try {
        const askedAt = performance.now();
        const next = await askServer(`${path}?after=${state.version}&from=${state.plies.length}`, {signal: leaving.signal});
        next.plies = [...state.plies.slice(0, next.ply_count - next.plies.length), ...next.plies];
        notice.hidden = true;
        const isSame = next.version === state.version;
        state = await withSource(next);
        if (!isSame) await show();
        if (!state.running && isSame) return;
        // An answer at once, with nothing new: too many requests are waiting.
        if (isSame && performance.now() - askedAt < ASK_AGAIN_MS) await wait(ASK_AGAIN_MS);
      } catch (error) {
        if (leaving.signal.aborted) return;
        report(error);
        if (!(error instanceof Unanswered)) return;
        await wait(ASK_AGAIN_MS);
      }
    }
  };
  await show();
  follow();
  return () => {
    leaving.abort();
    view?.close();
  };
}
