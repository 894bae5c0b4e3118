// learn: any game again, with a curve of who stood better, what should have been played, and the
// blunders as puzzles.
import {h, clear, copy, download, toast} from './dom.js';
import {ask, gameInfo, think, thinkDeeply, stopThinking, noReport, Stopped} from './engine.js';
import {Board, TITLES} from './board.js';
import {Mover} from './mover.js';
import {Match, title, other, playerName, positionLink, gameLink, lessonLink, absolute, unpackPosition, writeRecord} from './match.js';
import {Chart} from './chart.js';
import {opinion, scoreText, worth} from './opinion.js';
import {fetchRecord} from './tournaments.js';

const LOOK_NODES = 25000;
const BLUNDER = .3;
const MISTAKE = .14;

// --- Where a game comes from: played here, a text, a link. All end as {game, start, plies, names, text}. ---

async function fromRecord(text, index = 0) {
  const {games} = await ask('record', {text});
  const one = games[index];
  if (!one?.start) throw new Error(one?.error || 'There is no game in this text.');
  const plies = one.plies.filter((ply) => ply.position);
  const problem = plies.length < one.plies.length ? one.error : '';
  return {problem, game: one.game, start: one.start, plies, names: one.tags.Black && one.tags.White ? {black: one.tags.Black, white: one.tags.White} : null, text, index, titles: games.map(({tags}, at) => `${at + 1}. ${tags.Black || 'Black'} – ${tags.White || 'White'} ${tags.Result || ''}`)};
}

async function fromLink(game, query) {
  const start = query.get('start') && unpackPosition(query.get('start'));
  const moves = (query.get('moves') || '').split('.').filter(Boolean);
  const first = await ask('position', {game, position: start || undefined});
  let side = first.to_move[0];
  const lines = moves.map((move, at) => {
    const line = `${at + 1}. ${side} ${move}`;
    side = side === 'b' ? 'w' : 'b';
    return line;
  });
  const source = await fromRecord(`[Game "${game}"]\n[Result "*"]\n${start ? `[Start "${first.position}"]\n` : ''}\n${lines.join('\n')}\n\n`);
  if (source.problem && !source.plies.length) throw new Error(`This link does not lead to a game: ${source.problem}`);
  return source;
}

const fromMatch = async (data) => ({...await fromRecord(await writeRecord(data)), people: ['black', 'white'].filter((side) => data.players[side].kind === 'human')});

// --- The page. ---

class Lesson {
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
      label: `${TITLES[info.name]}, replay`, onPick: (square) => this.mover.pick(square), onDrop: (from, to) => this.mover.drop(from, to),
      onLift: (square) => this.mover.lift(square), onHover: (square) => this.mover.hover(square), canDrag: (square) => this.mover.canDrag(square),
    });
    this.mover = new Mover(this.board, {onMove: (move, position, unseen) => this.onTry(move, position, unseen), onChange: () => this.showPuzzleButtons()});
    this.chart = new Chart(info.name, source.plies.length, (ply) => this.show(ply));
    this.build();
    this.onKey = (event) => this.key(event);
    addEventListener('keydown', this.onKey);
  }

  close() {
    this.isAlive = false;
    removeEventListener('keydown', this.onKey);
    stopThinking();
    this.mover.stop();
  }

  build() {
    const {source} = this;
    const step = (label, words, by) => h('button', {type: 'button', 'aria-label': words, onclick: () => this.show(by())}, label);
    const last = source.plies.length;
    this.slider = h('input', {type: 'range', min: '0', max: String(last), value: '0', 'aria-label': 'Move', oninput: () => this.show(Number(this.slider.value))});
    this.caption = h('p', {class: 'status', role: 'status'});
    this.verdict = h('div', {});
    this.best = h('p', {class: 'line'});
    this.progress = h('p', {class: 'soft small', 'aria-live': 'off'});
    this.moves = h('ol', {class: 'moves', 'aria-label': 'Moves', tabindex: '0'});
    this.puzzleButton = h('button', {type: 'button', class: 'primary', disabled: true, onclick: () => this.startPuzzles()}, 'Solve the blunders');
    this.deeper = h('button', {type: 'button', onclick: () => this.lookDeeper()}, 'Look deeper here');
    this.commit = h('div', {class: 'commit'});
    clear(this.place, h('div', {class: 'learn'},
      h('section', {class: 'stage', 'aria-label': 'Board'}, this.board.el, h('div', {class: 'steps'},
        step('«', 'To the start', () => 0), step('‹', 'One move back', () => this.now - 1), this.slider,
        step('›', 'One move on', () => this.now + 1), step('»', 'To the end', () => last))),
      h('aside', {class: 'panel'}, h('h1', {class: 'panel-title'}, TITLES[this.info.name]),
        h('p', {class: 'soft names'}, `${source.names ? `${source.names.black} (Black) against ${source.names.white} (White), ` : ''}${last} ${last === 1 ? 'move' : 'moves'}`),
        source.titles.length > 1 ? h('select', {'aria-label': 'Which game of the file', onchange: (event) => this.openOther(Number(event.target.value))},
          source.titles.map((label, at) => h('option', {value: String(at), selected: at === source.index}, label))) : null,
        this.chart.el, h('div', {class: 'legend'}, h('span', {class: 'blunder'}, h('b'), 'blunder'), h('span', {class: 'mistake'}, h('b'), 'mistake')), this.progress,
        h('div', {class: 'say'}, this.caption, this.verdict, this.best, this.commit),
        h('div', {class: 'actions'}, this.puzzleButton, this.deeper,
          h('a', {class: 'button', href: '#/learn'}, 'Another game'),
          h('button', {type: 'button', onclick: () => this.playFromHere()}, 'Play from here'),
          h('button', {type: 'button', onclick: () => this.copyLink()}, 'Copy link'),
          h('button', {type: 'button', onclick: () => download(`${this.info.name}.txt`, 'text/plain', source.text)}, 'Record'),
          h('button', {type: 'button', onclick: () => this.savePicture()}, 'Picture')),
        this.moves)));
  }

  async openOther(index) {
    try {
      await openAt(this.place, await fromRecord(this.source.text, index));
    } catch (error) {
      toast(error.message);
    }
  }

  // --- Looking at the game. ---

  show(ply, isInstant = false) {
    const to = Math.min(Math.max(ply, 0), this.source.plies.length);
    const isStep = to === this.now + 1;
    const move = this.source.plies[to - 1]?.move || '';
    this.endPuzzle();
    this.now = to;
    this.slider.value = String(to);
    this.slider.setAttribute('aria-valuetext', to ? `after move ${to}, ${move}` : 'start');
    this.board.show(this.positions[to], {move: isStep && !isInstant && /^\d/.test(move) ? move : null});
    this.board.mark({last: /^\d/.test(move) ? move.split('-') : []});
    this.tell();
  }

  sideOf(ply) { return this.positions[ply].split(' ')[1] === 'b' ? 'black' : 'white'; }

  // Black's score at a position.
  value(ply) {
    const report = this.reports[ply];
    if (!report) return undefined;
    return this.sideOf(ply) === 'black' ? report.score : -report.score;
  }

  drawChart() { this.chart.show(this.positions.map((position, at) => this.value(at)), this.faults, this.now); }

  tell() {
    const ply = this.now;
    const played = this.source.plies[ply - 1];
    const before = this.reports[ply - 1];
    this.drawChart();
    this.caption.textContent = played ? `${ply}. ${title(played.side)} played ${played.move}` : 'The start';
    clear(this.verdict);
    this.best.textContent = '';
    const value = this.value(ply);
    if (value !== undefined) this.verdict.append(h('p', {class: 'detail'}, `${opinion(this.info.name, value, 'Black')}.`));
    if (played && before && this.faults[ply]) {
      this.verdict.append(h('p', {class: `verdict ${this.faults[ply]}`}, this.faults[ply] === 'blunder' ? 'A blunder. ' : 'A mistake. ',
        h('button', {type: 'button', onclick: () => this.showBetter(ply)}, 'What should have been played?')));
    }
    const here = this.reports[ply];
    if (here?.isDeep) this.best.textContent = `Depth ${here.depth}, ${scoreText(here.score)} for ${title(this.sideOf(ply))}: ${here.line.slice(0, 8).join('  ')}`;
    else if (here?.line.length) this.best.textContent = `Best from here: ${here.line.slice(0, 6).join('  ')}`;
    [...this.moves.children].forEach((item, at) => item.classList.toggle('is-now', at === ply - 1));
    const item = this.moves.children[ply - 1];
    if (item) this.moves.scrollTop = item.offsetTop - this.moves.offsetTop - this.moves.clientHeight / 2;
  }

  listMoves() {
    clear(this.moves, this.source.plies.map((ply, at) => h('li', {class: this.faults[at + 1] || ''},
      h('button', {type: 'button', onclick: () => this.show(at + 1)}, ply.move))));
  }

  showBetter(ply) {
    this.endPuzzle();
    const better = this.reports[ply - 1];
    this.now = ply - 1;
    this.slider.value = String(this.now);
    this.board.show(this.positions[this.now], {isInstant: true});
    this.board.mark({hint: better.move.split('-')});
    this.tell();
    this.caption.textContent = `${title(this.sideOf(this.now))} should have played ${better.move}.`;
    this.best.textContent = `The line: ${better.line.slice(0, 8).join('  ')}`;
  }

  async analyze() {
    this.listMoves();
    this.show(0, true);
    for (let ply = 0; ply < this.positions.length && this.isAlive; ply++) {
      await this.deep;
      await this.look(ply);
      if (!this.isAlive) return;
      this.progress.textContent = `Plum has looked at ${ply + 1} of ${this.positions.length} positions.`;
    }
    const count = Object.values(this.faults).filter((kind) => kind === 'blunder').length;
    const mine = this.puzzles().length;
    this.progress.textContent = count ? `${count} ${count === 1 ? 'blunder' : 'blunders'} found${mine === count ? '' : `, ${mine || 'none'} of yours`}.` : 'No blunder found.';
    this.puzzleButton.disabled = !mine;
  }

  async look(ply) {
    const facts = await ask('position', {game: this.info.name, position: this.positions[ply]});
    if (facts.over) {
      const sign = {black: 1, white: -1, draw: 0}[facts.result.outcome];
      const score = sign * (this.info.name === 'meichu' ? 3000 : 100 * Math.max(Math.abs(facts.result.black - facts.result.white), 3));
      this.reports[ply] = {score: this.sideOf(ply) === 'black' ? score : -score, line: [], move: ''};
    } else {
      this.reports[ply] ||= await think({game: this.info.name, position: this.positions[ply], nodes: LOOK_NODES}).catch(noReport);
    }
    if (!this.isAlive) return;
    if (!this.reports[ply]) {
      await this.deep;
      await this.look(ply);
      return;
    }
    this.judge(ply);
    if (ply === this.now) this.tell();
    else this.drawChart();
  }

  // What the move to this position gave away, as its own side sees it.
  loss(ply, score) { return worth(this.info.name, this.reports[ply - 1].score) - worth(this.info.name, score); }

  judge(ply) {
    const played = this.source.plies[ply - 1];
    if (!played || !this.reports[ply - 1] || played.move === this.reports[ply - 1].move || !/^\d/.test(played.move)) return;
    const loss = this.loss(ply, -this.reports[ply].score);
    if (loss > MISTAKE) {
      this.faults[ply] = loss > BLUNDER ? 'blunder' : 'mistake';
      this.moves.children[ply - 1]?.setAttribute('class', this.faults[ply]);
    }
  }

  async lookDeeper() {
    const ply = this.now;
    this.deeper.disabled = true;
    try {
      const asked = thinkDeeply({game: this.info.name, position: this.positions[ply]});
      // The page has one engine: the analysis waits for this.
      this.deep = asked.catch(() => null);
      const report = await asked;
      if (!this.isAlive) return;
      this.reports[ply] = {...report, isDeep: true};
      if (ply === this.now) {
        this.tell();
        this.board.mark({hint: /^\d/.test(report.move) ? report.move.split('-') : []});
      }
    } catch (error) {
      if (!(error instanceof Stopped)) toast(error.message);
    } finally {
      this.deeper.disabled = false;
    }
  }

  // --- Blunders as puzzles. ---

  puzzles() {
    const mine = this.source.people?.length === 1 ? this.source.people[0] : null;
    return Object.keys(this.faults).map(Number).filter((ply) => this.faults[ply] === 'blunder' && (!mine || this.source.plies[ply - 1].side === mine));
  }

  startPuzzles() {
    this.queue = this.puzzles();
    this.solved = 0;
    this.total = this.queue.length;
    this.nextPuzzle();
  }

  nextPuzzle() {
    const ply = this.queue.shift();
    if (!ply) {
      this.show(this.source.plies.length, true);
      this.caption.textContent = `Done: ${this.solved} of ${this.total} solved.`;
      return;
    }
    this.show(ply - 1, true);
    this.puzzle = ply;
    this.caption.textContent = `Puzzle ${this.total - this.queue.length} of ${this.total}: ${title(this.sideOf(ply - 1))} to move. ${this.source.plies[ply - 1].move} was played; find something better.`;
    clear(this.verdict);
    this.best.textContent = '';
    this.mover.start(this.info.name, this.positions[ply - 1]);
  }

  endPuzzle() {
    this.puzzle = 0;
    this.mover.stop();
    clear(this.commit);
  }

  showPuzzleButtons() {
    clear(this.commit, this.mover.canSend && this.mover.path.length > 1 ? h('button', {type: 'button', class: 'primary', onclick: () => this.mover.send()}, 'Play this move') : null,
      this.mover.path.length ? h('button', {type: 'button', onclick: () => this.mover.undo()}, 'Undo last step') : null,
      h('button', {type: 'button', onclick: () => this.showSolution(this.puzzle)}, 'Show it'));
  }

  showSolution(ply) {
    this.showBetter(ply);
    clear(this.commit, this.nextButton());
  }

  nextButton() {
    return h('button', {type: 'button', class: 'primary', onclick: () => this.nextPuzzle()}, this.queue.length ? 'Next puzzle' : 'Done');
  }

  async onTry(move, position, unseen) {
    const ply = this.puzzle;
    await this.board.show(position, {move: unseen});
    this.caption.textContent = 'Plum is looking …';
    const facts = await ask('position', {game: this.info.name, position});
    const answer = facts.over ? {score: -3000 * (facts.result.outcome === this.sideOf(ply - 1) ? 1 : -1)}
      : await think({game: this.info.name, position, nodes: LOOK_NODES}).catch(noReport);
    if (!answer || !this.isAlive || this.puzzle !== ply) return;
    const isRight = move === this.reports[ply - 1].move || this.loss(ply, -answer.score) < MISTAKE;
    if (isRight) this.solved++;
    this.caption.textContent = isRight ? `Right: ${move} is good.` : `Not ${move}: ${opinion(this.info.name, -answer.score, title(this.sideOf(ply - 1)))}.`;
    clear(this.commit, isRight ? null : h('button', {type: 'button', onclick: () => { this.queue.unshift(ply); this.nextPuzzle(); }}, 'Try again'),
      isRight ? null : h('button', {type: 'button', onclick: () => this.showSolution(ply)}, 'Show it'), this.nextButton());
  }

  // --- Taking it along. ---

  playFromHere() { location.hash = positionLink(this.info.name, this.positions[this.now]); }

  copyLink() { copy(absolute(gameLink({...this.source, game: this.info.name}, this.info.start)), 'Link'); }

  async savePicture() {
    download(`${this.info.name}-${this.now}.svg`, 'image/svg+xml', await ask('picture', {game: this.info.name, position: this.positions[this.now]}));
  }

  key(event) {
    if (event.ctrlKey || event.altKey || event.metaKey || event.target.closest?.('input, select, textarea, dialog, .grid')) return;
    if (event.key === 'ArrowLeft') this.show(this.now - 1);
    else if (event.key === 'ArrowRight') this.show(this.now + 1);
    else if (event.key === 'Home') this.show(0);
    else if (event.key === 'End') this.show(this.source.plies.length);
    else if (event.key === 'Escape') this.mover.undo();
    else return;
    event.preventDefault();
  }
}

let lesson = null;

function closeLesson() {
  lesson?.close();
  lesson = null;
}

async function open(place, source) {
  const info = await gameInfo(source.game);
  closeLesson();
  lesson = new Lesson(place, source, info);
  if (source.problem) toast(source.problem);
  lesson.analyze();
  return closeLesson;
}

// A game of a text has no address of its own yet.
async function openAt(place, source) {
  history.pushState(null, '', gameLink(source, (await gameInfo(source.game)).start));
  await open(place, source);
}

// --- Choosing a game. ---

function finishedList() {
  const games = Match.finished();
  if (!games.length) return h('p', {class: 'soft'}, 'Games that you finish here are kept in this browser and listed in this place.');
  return h('ul', {class: 'game-list'}, games.map((data) => {
    const {outcome} = data.ended;
    const result = outcome === 'draw' ? 'draw' : `${playerName(data.players[outcome])} beat ${playerName(data.players[other(outcome)])}`;
    return h('li', {}, h('a', {href: lessonLink(data)}, h('span', {}, h('b', {}, TITLES[data.game]), ` ${result}`), h('span', {class: 'soft'}, data.date)));
  }));
}

function choose(place) {
  const text = h('textarea', {id: 'record-text', spellcheck: 'false', placeholder: '[Game "hop"]\n…\n\n1. b 20-21\n2. w 17-16'});
  const problem = h('p', {role: 'alert', class: 'verdict blunder'});
  const go = async (record) => {
    try {
      if (!record.trim()) throw new Error('Paste a record into the field first.');
      await openAt(place, await fromRecord(record));
    } catch (error) {
      problem.textContent = error.message;
    }
  };
  const file = h('input', {type: 'file', id: 'record-file', accept: '.txt,.pgn,text/plain', onchange: async () => file.files.length && go(await file.files[0].text())});
  clear(place, h('h1', {}, 'Learn from a game'), h('div', {class: 'load'},
    h('section', {class: 'card'}, h('h2', {}, 'Played here'), finishedList()),
    h('section', {class: 'card stack'}, h('h2', {}, 'Any record'),
      h('label', {for: 'record-text'}, 'Paste a game record, as plum match and the judge write them'), text, problem,
      h('div', {class: 'commit'}, h('button', {type: 'button', class: 'primary', onclick: () => go(text.value)}, 'Open'),
        h('label', {class: 'button', for: 'record-file'}, 'Choose a file'), file))));
  file.classList.add('file');
  return closeLesson;
}

export async function learnView(place, [what, which, number], query) {
  if (!what) return choose(place);
  if (what === 'mine') {
    const match = Match.find(which);
    if (!match) throw new Error('That game is not in this browser.');
    return open(place, await fromMatch(match.data));
  }
  if (what === 'tournament') return open(place, await fromRecord(await fetchRecord(which, number)));
  return open(place, await fromLink(what, query));
}
