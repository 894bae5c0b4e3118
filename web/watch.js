// watch: tournaments while they are played.
import {h, clear} from './dom.js';
import {gameInfo, isOffline} from './engine.js';
import {TITLES} from './board.js';
import {LiveBoard} from './liveboard.js';
import {crossTable, gameTable, rounds, signed, standings, tableOf} from './tables.js';
import {eventsAddress, fetchScene, fetchTournaments} from './tournaments.js';

const LINGER_MS = 5000;
const RELOAD_MS = 300;
const RETRY_MS = 3000;

const describe = ({game, format, team_count: teams}) => `${TITLES[game]}, ${format.replaceAll('-', ' ')}, ${teams} teams`;

// --- One tournament. ---

class Watch {
  constructor(place, scene, info, isScreen) {
    this.info = info;
    this.id = scene.id;
    this.isScreen = isScreen;
    this.live = new Map();
    this.boards = h('div', {class: 'live-boards', 'aria-label': 'Running games', role: 'region'});
    this.head = h('div', {class: 'watch-head'});
    this.notice = h('p', {class: 'watch-notice', role: 'status'});
    this.table = h('div', {});
    this.more = h('div', {class: 'watch-more'});
    document.body.classList.toggle('is-screen', isScreen);
    clear(place, this.head, this.notice, h('div', {class: 'watch'}, h('section', {}, this.boards), h('section', {}, h('h2', {}, 'Standings'), this.table)), this.more);
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
    this.tellQuiet();
  }

  show(scene) {
    this.scene = scene;
    const total = Math.max(scene.total_games, scene.games.length);
    const address = `#/watch/${this.id}`;
    const link = this.isScreen ? h('a', {class: 'button', href: address}, 'Leave the big screen') : h('a', {class: 'button', href: `${address}/screen`}, 'Big screen');
    clear(this.head, h('div', {}, h('h1', {}, scene.name || 'Tournament'),
      h('p', {class: 'soft'}, `${describe(scene)}: ${scene.played_games} of ${total} games`)),
    link, h('progress', {max: String(total), value: String(scene.played_games), 'aria-label': 'Games played'}));
    clear(this.table, standings(scene));
    if (!this.isScreen) this.showMore(scene);
    this.tellQuiet();
  }

  showMore(scene) {
    const opened = new Map([...this.more.querySelectorAll('details')].map((details) => [details.dataset.round, details.open]));
    clear(this.more, h('h2', {}, 'Who met whom'), crossTable(scene), h('h2', {}, 'Games'), rounds(scene, opened));
  }

  tellQuiet() {
    this.boards.querySelector('.live-quiet')?.remove();
    if (!this.live.size) this.boards.append(h('p', {class: 'live-quiet soft'}, this.scene.over ? 'All games are played.' : 'No game is running right now.'));
  }

  start(number, text) {
    this.live.get(number)?.el.remove();
    const board = new LiveBoard(this.info, this.scene, number, text);
    this.live.set(number, board);
    this.boards.append(board.el);
    this.tellQuiet();
  }

  listen(after) {
    this.source = new EventSource(eventsAddress(this.id, after));
    this.source.onmessage = ({data}) => this.hear(JSON.parse(data));
    this.source.onopen = () => { this.notice.textContent = ''; };
    this.source.onerror = () => this.loseTouch();
    this.source.addEventListener('reset', () => this.beginAgain());
  }

  // A browser comes back by itself after a lost connection, but not after a refusal.
  loseTouch() {
    this.notice.textContent = 'The arena does not answer. This is how it stood; trying again…';
    if (this.source.readyState !== EventSource.CLOSED) return;
    this.retry = setTimeout(async () => {
      if (await this.beginAgain()) this.listen(this.scene.event);
      else this.loseTouch();
    }, RETRY_MS);
  }

  async beginAgain() {
    try {
      const scene = await fetchScene(this.id);
      if (!this.isClosed) this.begin(scene);
      return !this.isClosed;
    } catch {
      return false;
    }
  }

  hear({kind, game, text}) {
    if (kind === 'start') this.start(game, text);
    else if (kind === 'ply') this.live.get(game)?.add(text);
    else if (kind === 'over') this.finish(game, text);
    if (kind !== 'ply') this.reloadSoon();
  }

  finish(number, text) {
    const board = this.live.get(number);
    if (!board) return;
    board.end(text);
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
      try {
        const scene = await fetchScene(this.id);
        if (!this.isClosed) this.show(scene);
      } catch {
        // The stream notices it, too, and says so.
      }
    }, RELOAD_MS);
  }

  close() {
    this.isClosed = true;
    this.source.close();
    clearTimeout(this.reload);
    clearTimeout(this.retry);
    document.body.classList.remove('is-screen');
  }
}

function teamPage(place, scene, id) {
  const team = scene.teams.findIndex((entry) => entry.id === id);
  if (team < 0) throw new Error(`There is no team '${id}'.`);
  const row = scene.standings.find((entry) => entry.team === team);
  const games = scene.games.filter((game) => game.black === team || game.white === team);
  clear(place, h('p', {}, h('a', {href: `#/watch/${scene.id}`}, scene.name || 'Tournament')), h('h1', {}, scene.teams[team].name),
    h('p', {class: 'lead'}, `Place ${row.place}: ${row.points} points, ${row.won} won, ${row.drawn} drawn, ${row.lost} lost, score ${signed(row.differential)}.`),
    h('h2', {}, 'Games'), gameTable(scene, games));
  return null;
}

async function oneView(place, id, [what, team]) {
  const scene = await fetchScene(id);
  if (what === 'team') return teamPage(place, scene, team);
  const watch = new Watch(place, scene, await gameInfo(scene.game), what === 'screen');
  return () => watch.close();
}

// --- All of them. ---

const stateOf = ({over, running_games: running}) => (over ? 'over' : running ? `${running} running` : 'waiting');

const tournamentRow = (entry) => h('tr', {}, h('th', {scope: 'row'}, h('a', {href: `#/watch/${entry.id}`}, entry.name || `Tournament ${entry.id}`)),
  [describe(entry), `${entry.played_games} of ${Math.max(entry.total_games, entry.played_games)}`, stateOf(entry)].map((text) => h('td', {}, text)));

function listView(place, tournaments) {
  const list = h('div', {});
  const showAll = (all) => clear(list, tableOf(['Tournament', 'Kind', 'Games', 'Now'], all.map(tournamentRow), 'Tournaments'));
  const timer = setInterval(() => fetchTournaments().then(showAll).catch(() => {}), RETRY_MS);
  clear(place, h('h1', {}, 'Tournaments'), list);
  showAll(tournaments);
  return () => clearInterval(timer);
}

function explainView(place) {
  clear(place, h('h1', {}, 'Watch a tournament'), h('p', {class: 'lead'}, isOffline() ? 'A tournament can be watched where plum serve runs.' : 'No tournament is followed here yet.'),
    h('p', {}, 'Play one and watch it on a page of its own:'), h('pre', {}, h('code', {}, 'plum tournament run class.ini --serve')),
    h('p', {}, 'Or follow any number of them, finished or running, from this arena:'), h('pre', {}, h('code', {}, 'plum serve --db class.db')));
  return null;
}

export async function watchView(place, [id, ...rest]) {
  if (id) return oneView(place, id, rest);
  const tournaments = await fetchTournaments();
  if (!tournaments.length) return explainView(place);
  return tournaments.length > 1 ? listView(place, tournaments) : oneView(place, tournaments[0].id, []);
}
