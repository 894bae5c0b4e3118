// watch: a tournament while it is played: boards, standings, who met whom, every game.
import {h, clear} from './dom.js';
import {ask, gameInfo, isOffline} from './engine.js';
import {Board, TITLES} from './board.js';
import {PlayerBar} from './players.js';

const LINGER_MS = 5000;
const RELOAD_MS = 300;

async function fetchScene() {
  if (isOffline()) throw new Error('A tournament can be watched only where plum serve runs.');
  const answer = await fetch('api/v1/tournament');
  if (answer.status === 404) {
    throw new Error('No tournament is followed here. Start the arena with: plum serve --db class.db, while plum tournament run class.ini plays it.');
  }
  if (!answer.ok) throw new Error((await answer.json()).error);
  return answer.json();
}

// --- One running game. Its moves come one by one and are shown one by one. ---

class LiveBoard {
  constructor(info, number, start, names) {
    const [black, white, ...position] = start.split(' ');
    this.info = info;
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
  async showLast(number) {
    const {games: [{plies}]} = await ask('record', {text: await fetchRecord(number)});
    const last = plies.at(-1);
    if (!last?.position) return;
    this.position = last.position;
    this.board.show(last.position);
    this.board.mark({last: /^\d/.test(last.move) ? last.move.split('-') : []});
  }

  end(number, text) {
    this.queue = this.queue.then(() => this.showLast(number)).catch(() => {}).then(() => {
      const [result, score, reason] = text.split(' ');
      this.el.classList.add('is-over');
      this.note.textContent = `${{'1-0': 'Black wins', '0-1': 'White wins'}[result] || 'Draw'} ${score}, ${reason}`;
      this.showBars(true);
    });
  }
}

// --- Tables. ---

const tableOf = (heads, rows, label) => h('div', {class: 'scroll', tabindex: '0', role: 'region', 'aria-label': label}, h('table', {class: 'table'},
  h('thead', {}, h('tr', {}, heads.map((head) => h('th', {scope: 'col'}, head)))), h('tbody', {}, rows)));

const teamLink = (scene, team) => h('a', {href: `#/watch/team/${encodeURIComponent(scene.teams[team].id)}`}, scene.teams[team].name);

function standings(scene) {
  return tableOf(['', 'Team', 'Points', 'Won', 'Drawn', 'Lost', '±'], scene.standings.map((row) => h('tr', {},
    h('td', {class: 'place'}, String(row.place)), h('th', {scope: 'row'}, teamLink(scene, row.team)),
    [h('b', {}, String(row.points)), row.won, row.drawn, row.lost, row.differential > 0 ? `+${row.differential}` : row.differential].map((cell) => h('td', {}, cell instanceof Node ? cell : String(cell))))), 'Standings');
}

// What a team made of a game.
function made(game, team) {
  if (game.result === '1/2-1/2') return '½';
  return (game.result === '1-0') === (game.black === team) ? '1' : '0';
}

function crossTable(scene) {
  const order = scene.standings.map((row) => row.team);
  const cells = new Map();
  for (const game of scene.games.filter(({status}) => status === 'played')) {
    for (const team of [game.black, game.white]) {
      const key = `${team} ${team === game.black ? game.white : game.black}`;
      cells.set(key, [...(cells.get(key) || []), [made(game, team), game.number]]);
    }
  }
  return tableOf(['', 'Team', ...order.map((team, at) => String(at + 1))], order.map((team, at) => h('tr', {}, h('td', {class: 'place'}, String(at + 1)),
    h('th', {scope: 'row'}, teamLink(scene, team)), order.map((rival) => h('td', {class: rival === team ? 'self' : ''},
      (cells.get(`${team} ${rival}`) || []).map(([points, number]) => h('a', {href: `#/learn/tournament/${number}`, 'aria-label': `${points}, game ${number + 1}`}, points)))))), 'Cross-table');
}

const faultWords = (faults) => Object.entries(faults).map(([kind, count]) => (count > 1 ? `${kind} ×${count}` : kind)).join(', ');

function gameRow(scene, game) {
  const isKnown = game.status !== 'planned';
  const faults = isKnown ? game.faults.map(faultWords).map((words, at) => words && `${at ? 'White' : 'Black'}: ${words}`).filter(Boolean).join('; ') : '';
  return h('tr', {}, h('td', {class: 'place'}, String(game.number + 1)), h('td', {}, teamLink(scene, game.black)), h('td', {}, teamLink(scene, game.white)),
    h('td', {}, isKnown ? h('a', {href: `#/learn/tournament/${game.number}`}, game.result) : h('span', {class: 'soft'}, 'to come')),
    h('td', {}, isKnown ? `${game.score.join(' : ')}, ${game.reason}${game.status === 'annulled' ? ', annulled' : ''}` : ''),
    h('td', {}, isKnown ? game.slowest_ms.map((ms) => `${(ms / 1000).toFixed(2)} s`).join(' / ') : ''), h('td', {class: 'verdict blunder'}, faults));
}

function gameTable(scene, games) {
  return tableOf(['', 'Black', 'White', 'Result', 'Score', 'Slowest move', 'Faults'], games.map((game) => gameRow(scene, game)), 'Games');
}

function rounds(scene) {
  const list = [];
  for (let round = 0; round < scene.rounds; round++) {
    const games = scene.games.filter((game) => game.round === round);
    const byes = scene.byes.filter((bye) => bye.round === round).map((bye) => scene.teams[bye.team].name);
    if (games.length) {
      list.push(h('details', {open: games.some(({status}) => status === 'planned') || scene.rounds < 3}, h('summary', {}, `Round ${round + 1}`,
        h('span', {class: 'soft'}, ` ${games.filter(({status}) => status !== 'planned').length} of ${games.length} games played`)), gameTable(scene, games),
      byes.length ? h('p', {class: 'soft'}, `Bye: ${byes.join(', ')}`) : null));
    }
  }
  return list;
}

// --- The pages. ---

class Watch {
  constructor(place, scene, info, isScreen) {
    this.place = place;
    this.info = info;
    this.live = new Map();
    this.boards = h('div', {class: 'live-boards', 'aria-label': 'Running games', role: 'region'});
    this.head = h('div', {class: 'watch-head'});
    this.table = h('div', {});
    this.more = h('div', {class: 'watch-more'});
    document.body.classList.toggle('is-screen', isScreen);
    clear(place, this.head, h('div', {class: 'watch'}, h('section', {}, this.boards), h('section', {'aria-label': 'Standings'}, h('h2', {}, 'Standings'), this.table)), this.more);
    this.isScreen = isScreen;
    this.begin(scene);
    this.listen(scene.event);
  }

  begin(scene) {
    this.show(scene);
    this.live.clear();
    clear(this.boards);
    for (const {game, start, plies} of scene.running) {
      this.start(game, start);
      plies.forEach((line) => this.live.get(game).add(line));
    }
  }

  show(scene) {
    this.scene = scene;
    const played = scene.games.filter(({status}) => status !== 'planned').length;
    const total = Math.max(scene.total_games, scene.games.length);
    const link = this.isScreen ? h('a', {class: 'button', href: '#/watch'}, 'Leave the big screen') : h('a', {class: 'button', href: '#/watch/screen'}, 'Big screen');
    clear(this.head, h('div', {}, h('h1', {}, scene.name || 'Tournament'),
      h('p', {class: 'soft'}, `${TITLES[scene.game]}, ${scene.format.replaceAll('-', ' ')}, ${scene.teams.length} teams: ${played} of ${total} games`)),
    link, h('progress', {max: String(total), value: String(played), 'aria-label': 'Games played'}));
    clear(this.table, standings(scene));
    if (!this.isScreen) clear(this.more, h('h2', {}, 'Who met whom'), crossTable(scene), h('h2', {}, 'Games'), rounds(scene));
    this.tellQuiet();
  }

  tellQuiet() {
    this.boards.querySelector('.live-quiet')?.remove();
    if (!this.live.size) this.boards.append(h('p', {class: 'live-quiet soft'}, this.scene.over ? 'All games are played.' : 'No game is running right now.'));
  }

  start(number, text) {
    this.live.get(number)?.el.remove();
    const board = new LiveBoard(this.info, number, text, (team) => this.scene.teams[team].name);
    this.live.set(number, board);
    this.boards.append(board.el);
    this.tellQuiet();
  }

  listen(after) {
    this.source = new EventSource(`api/v1/tournament/events?after=${after}`);
    this.source.onmessage = ({data}) => this.hear(JSON.parse(data));
    this.source.addEventListener('reset', async () => this.begin(await fetchScene()));
  }

  hear({kind, game, text}) {
    if (kind === 'start') this.start(game, text);
    else if (kind === 'ply') this.live.get(game)?.add(text);
    else if (kind === 'over') this.finish(game, text);
    if (kind !== 'ply' && kind !== 'start') this.reloadSoon();
  }

  finish(number, text) {
    const board = this.live.get(number);
    if (!board) return;
    board.end(number, text);
    setTimeout(() => {
      if (this.live.get(number) !== board) return;
      board.el.remove();
      this.live.delete(number);
      this.tellQuiet();
    }, LINGER_MS);
  }

  reloadSoon() {
    this.reload ||= setTimeout(async () => {
      this.reload = 0;
      if (this.source.readyState !== EventSource.CLOSED) this.show(await fetchScene());
    }, RELOAD_MS);
  }

  close() {
    this.source.close();
    clearTimeout(this.reload);
    document.body.classList.remove('is-screen');
  }
}

function teamPage(place, scene, id) {
  const team = scene.teams.findIndex((entry) => entry.id === id);
  if (team < 0) throw new Error(`There is no team '${id}'.`);
  const row = scene.standings.find((entry) => entry.team === team);
  const games = scene.games.filter((game) => game.black === team || game.white === team);
  clear(place, h('p', {}, h('a', {href: '#/watch'}, scene.name || 'Tournament')), h('h1', {}, scene.teams[team].name),
    h('p', {class: 'lead'}, `Place ${row.place}: ${row.points} points, ${row.won} won, ${row.drawn} drawn, ${row.lost} lost, score ${row.differential > 0 ? '+' : ''}${row.differential}.`),
    h('h2', {}, 'Games'), gameTable(scene, games));
}

export async function watchView(place, [what, id]) {
  const scene = await fetchScene();
  if (what === 'team') {
    teamPage(place, scene, id);
    return null;
  }
  const watch = new Watch(place, scene, await gameInfo(scene.game), what === 'screen');
  return () => watch.close();
}

export async function fetchRecord(number) {
  const answer = await fetch(`api/v1/tournament/record?game=${encodeURIComponent(number)}`);
  if (!answer.ok) throw new Error((await answer.json()).error);
  return answer.text();
}
