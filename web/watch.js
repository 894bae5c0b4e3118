// watch: tournaments while they are played.
import {h, clear} from './dom.js';
import {gameInfo, isOffline} from './engine.js';
import {gameOf} from './games.js';
import {Follower} from './follow.js';
import {LiveBoard} from './liveboard.js';
import {conduct, crossTable, gameCount, gameTable, podium, rounds, signed, standings, tableOf, tieBreaks, withdrawal} from './tables.js';
import {fetchScene, fetchTournaments, momentOf} from './tournaments.js';
import {Wall} from './wall.js';

const TICK_MS = 250;
const LIST_MS = 3000;

const describe = ({game, format, team_count: teams}) => `${gameOf(game).title}, ${format.replaceAll('-', ' ')}, ${teams} teams`;

const noticeLine = () => h('p', {class: 'notice', role: 'status'});

// --- One tournament. ---

class Watch {
  constructor(place, scene, info, isScreen) {
    this.info = info;
    this.isScreen = isScreen;
    this.wall = new Wall(isScreen);
    this.count = h('p', {class: 'soft'});
    this.progress = h('progress', {'aria-label': 'Games played'});
    this.notice = noticeLine();
    this.table = h('div', {class: 'watch-standings'});
    this.more = h('div', {class: 'watch-more'});
    document.body.classList.toggle('is-screen', isScreen);
    clear(place, this.makeHead(scene), this.notice,
      h('div', {class: 'watch'}, h('section', {}, this.wall.el), h('section', {}, h('h2', {}, 'Standings'), this.table)), this.more);
    this.follower = new Follower(scene, this);
    this.timer = setInterval(() => this.tick(), TICK_MS);
    this.onKey = ({key}) => { if (isScreen && key === 'Escape') location.hash = `#/watch/${scene.id}`; };
    addEventListener('keydown', this.onKey);
  }

  makeHead({id, name}) {
    const link = this.isScreen ? h('a', {class: 'button', href: `#/watch/${id}`}, 'Leave the big screen') : h('a', {class: 'button', href: `#/watch/${id}/screen`}, 'Big screen');
    return h('div', {class: 'watch-head'}, h('div', {}, h('h1', {}, name || 'Tournament'), this.count), link, this.progress);
  }

  begin(scene) {
    this.show(scene);
    this.wall.clear();
    for (const {game, start, plies, at_ms: at} of scene.running) {
      const since = momentOf(scene, at);
      this.start(game, start, since);
      plies.forEach((line) => this.wall.find(game).add(line, since));
    }
    this.tick();
  }

  show(scene) {
    this.scene = scene;
    this.count.textContent = `${describe(scene)}: ${gameCount(scene, ' games played')}`;
    this.progress.max = scene.total_games;
    this.progress.value = scene.played_games + scene.annulled_games + scene.cancelled_games;
    clear(this.table, standings(scene));
    this.table.style.setProperty('--teams', scene.teams.length);
    if (!this.isScreen) this.showMore(scene);
    if (scene.over) this.wall.el.querySelector('.live-quiet')?.remove();
  }

  showMore(scene) {
    const opened = new Map([...this.more.querySelectorAll('details')].map((details) => [details.dataset.round, details.open]));
    clear(this.more, h('h2', {}, 'Who met whom'), crossTable(scene), h('h2', {}, 'Games'), rounds(scene, opened));
  }

  tell(notice) {
    this.notice.textContent = notice;
  }

  tick() {
    this.wall.tick(this.scene.attended && this.follower?.isInTouch !== false);
    if (!this.wall.isSettled()) return;
    const {over, annulled_games: annulled, cancelled_games: cancelled} = this.scene;
    if (over) this.showQuiet(annulled || cancelled ? 'The tournament is over.' : 'All games are played.', () => podium(this.scene));
    else if (!this.wall.places.length) this.showQuiet('No game is running right now.');
  }

  showQuiet(text, draw = () => null) {
    if (this.wall.el.querySelector('.live-quiet')?.textContent !== text) this.wall.clear(draw(), h('p', {class: 'live-quiet soft'}, text));
  }

  start(game, start, since) {
    this.wall.start(new LiveBoard(this.info, this.scene, {game, start, since, onLost: () => this.follower.beginAgainSoon()}));
  }

  hear({kind, game, text, at_ms: at}) {
    const since = momentOf(this.scene, at);
    if (kind === 'start') this.start(game, text, since);
    else if (kind === 'ply') this.wall.find(game)?.add(text, since);
    else if (kind === 'over') this.wall.find(game)?.end(text);
    else if (kind === 'run' || kind === 'stopped') this.wall.clear();
  }

  close() {
    clearInterval(this.timer);
    this.follower.close();
    this.wall.close();
    document.body.classList.remove('is-screen');
    removeEventListener('keydown', this.onKey);
  }
}

class TeamPage {
  constructor(place, scene, id) {
    this.team = id;
    if (!scene.names.has(id)) throw new Error(`There is no team '${id}'.`);
    this.notice = noticeLine();
    this.lead = h('p', {class: 'lead'});
    this.conduct = h('p', {});
    this.games = h('div', {});
    clear(place, h('p', {}, h('a', {href: `#/watch/${scene.id}`}, scene.name || 'Tournament')), this.notice,
      h('h1', {}, scene.names.get(id)), this.lead, this.conduct, h('h2', {}, 'Games'), this.games);
    this.follower = new Follower(scene, this);
  }

  begin(scene) { this.show(scene); }

  show(scene) {
    const {team} = this;
    const at = scene.standings.findIndex((entry) => entry.team === team);
    const {place, figures, won, drawn, lost, byes} = scene.standings[at];
    const games = scene.games.filter((game) => game.black === team || game.white === team);
    const left = withdrawal(scene.rows.get(team));
    this.lead.textContent = `Place ${place}: ${[`${figures.points} points`, `${won} won${byes ? ` (${byes} by a bye)` : ''}`, `${drawn} drawn`, `${lost} lost`,
      `score ${signed(figures.differential)}`, ...tieBreaks(scene, at), ...(left ? [left] : [])].join(', ')}.`;
    this.conduct.textContent = conduct(games, team);
    clear(this.games, gameTable(scene, games, 'Games'));
  }

  tell(notice) {
    this.notice.textContent = notice;
  }

  hear() {}

  close() { this.follower.close(); }
}

async function oneView(place, id, [what, team]) {
  const scene = await fetchScene(id);
  const info = await gameInfo(scene.game);
  if (!place.isConnected) return null;
  const page = what === 'team' ? new TeamPage(place, scene, team) : new Watch(place, scene, info, what === 'screen');
  return () => page.close();
}

// --- All of them. ---

const stateOf = ({over, attended, running_games: running}) => (over ? 'over' : attended && running ? `${running} running` : 'waiting');

const tournamentRow = (entry) => h('tr', {}, h('th', {scope: 'row'}, h('a', {href: `#/watch/${entry.id}`}, entry.name || `Tournament ${entry.id}`)),
  [describe(entry), gameCount(entry), stateOf(entry)].map((text) => h('td', {}, text)));

function listView(place, tournaments) {
  const list = h('div', {});
  const showAll = (all) => clear(list, tableOf(['Tournament', 'Kind', 'Games', 'Now'], all.map(tournamentRow), 'Tournaments'));
  const timer = setInterval(() => fetchTournaments().then(showAll).catch(() => {}), LIST_MS);
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
