// watch: the pages of tournaments, also while they are played.
import {h, clear, tableOf} from './dom.js';
import {demoId} from './demo.js';
import {gameInfo, isOffline} from './engine.js';
import {Evaluator} from './evaluator.js';
import {gameOf, gamesWith} from './games.js';
import {follow} from './follow.js';
import {LiveBoard} from './liveboard.js';
import {GamePage} from './livegame.js';
import {Screen} from './screen.js';
import {conduct, crossTable, gameCount, gameTable, podium, rounds, signed, standings, tieBreaks, withdrawal} from './tables.js';
import {Missing, Unanswered} from './server.js';
import {fetchTournament, fetchTournaments, lastTournament, lastTournaments, momentOf} from './tournaments.js';
import {BoardGrid} from './boardgrid.js';

const TICK_MS = 250;
const LIST_MS = 3000;
const GLANCE_NODES = 4000; // for a bar on the big screen, which may run on the machine of the players

const describe = ({game, format, team_count: teams}) => `${gameOf(game).title}, ${format.replaceAll('-', ' ')}, ${teams} teams`;

const noticeLine = () => h('p', {class: 'notice', role: 'status'});

// --- One tournament. ---

class Watch {
  constructor(place, tournament, info, isScreen) {
    this.info = info;
    this.isScreen = isScreen;
    this.grid = new BoardGrid(isScreen);
    this.count = h('p', {class: 'soft'});
    this.progress = h('progress', {'aria-label': 'Games played'});
    this.notice = noticeLine();
    this.table = h('div', {class: 'watch-standings'});
    this.more = h('div', {class: 'watch-more'});
    this.screen = isScreen ? new Screen(this.table) : null;
    this.evaluator = isScreen && !tournament.isRecorded ? new Evaluator(info.name, GLANCE_NODES) : null;
    document.body.classList.toggle('is-screen', isScreen);
    clear(place, this.makeHead(tournament), this.notice, tournament.isRecorded && !isScreen ? demoNotice(tournament) : null,
      h('div', {class: 'watch'}, h('section', {}, this.grid.el), h('section', {}, h('h2', {}, 'Standings'), this.table, this.screen?.el)), this.more, tournament.isRecorded && !isScreen ? ownNotice() : null);
    this.follower = follow(tournament, this);
    this.timer = setInterval(() => this.tick(), TICK_MS);
    this.onKey = ({key}) => { if (isScreen && key === 'Escape') location.hash = `#/watch/${tournament.id}`; };
    addEventListener('keydown', this.onKey);
  }

  makeHead({id, name}) {
    const link = this.isScreen ? h('a', {class: 'button', href: `#/watch/${id}`}, 'Leave the big screen') : h('a', {class: 'button', href: `#/watch/${id}/screen`}, 'Big screen');
    return h('div', {class: 'watch-head'}, h('div', {}, h('h1', {}, name || 'Tournament'), this.count), link, this.progress);
  }

  begin(tournament) {
    this.show(tournament);
    this.grid.clear();
    for (const {game, start, plies, at_ms: at} of tournament.running) {
      const since = momentOf(tournament, at);
      this.start(game, start, since);
      plies.forEach((line) => this.grid.find(game).add(line, since));
    }
    this.tick();
  }

  show(tournament) {
    this.tournament = tournament;
    this.count.textContent = `${describe(tournament)}: ${gameCount(tournament, ' games played')}`;
    this.progress.max = tournament.total_games;
    this.progress.value = tournament.played_games + tournament.annulled_games + tournament.cancelled_games;
    clear(this.table, standings(tournament));
    this.table.style.setProperty('--teams', tournament.teams.length);
    if (this.screen) this.screen.show(tournament);
    else this.showMore(tournament);
    if (tournament.over) this.grid.el.querySelector('.live-quiet')?.remove();
  }

  showMore(tournament) {
    const opened = new Map([...this.more.querySelectorAll('details')].map((details) => [details.dataset.round, details.open]));
    clear(this.more, h('h2', {}, 'Cross-table'), crossTable(tournament), h('h2', {}, 'Games'), rounds(tournament, opened));
  }

  showNotice(notice) {
    this.notice.textContent = notice;
  }

  tick() {
    this.screen?.tick();
    this.grid.tick(this.tournament.attended && this.follower?.isConnected !== false);
    if (!this.grid.isSettled()) return;
    const {over, annulled_games: annulled, cancelled_games: cancelled} = this.tournament;
    if (over) this.showQuiet(annulled || cancelled ? 'The tournament is over.' : 'All games are played.', () => podium(this.tournament));
    else if (!this.grid.places.length) this.showQuiet('No game is running right now.');
  }

  showQuiet(text, draw = () => null) {
    if (this.grid.el.querySelector('.live-quiet')?.textContent !== text) this.grid.clear(draw(), h('p', {class: 'live-quiet soft'}, text));
  }

  start(game, start, since) {
    const evaluate = this.isScreen ? (position, onValue) => this.evaluator?.ask(position, onValue, game) : null;
    this.grid.start(new LiveBoard(this.info, this.tournament, {game, start, since, evaluate, onLost: () => this.follower.restartSoon()}));
  }

  receive({kind, game, text, at_ms: at}) {
    const since = momentOf(this.tournament, at);
    if (kind === 'start') this.start(game, text, since);
    else if (kind === 'ply') this.grid.find(game)?.add(text, since);
    else if (kind === 'over') this.grid.find(game)?.end(text);
    else if (kind === 'run' || kind === 'stopped') this.grid.clear();
  }

  close() {
    clearInterval(this.timer);
    this.follower.close();
    this.evaluator?.close();
    this.grid.close();
    document.body.classList.remove('is-screen');
    removeEventListener('keydown', this.onKey);
  }
}

class TeamPage {
  constructor(place, tournament, id) {
    this.team = id;
    if (!tournament.names.has(id)) throw new Missing(`There is no team '${id}'.`);
    this.notice = noticeLine();
    this.lead = h('p', {class: 'lead'});
    this.conduct = h('p', {});
    this.games = h('div', {});
    clear(place, h('p', {}, h('a', {href: `#/watch/${tournament.id}`}, tournament.name || 'Tournament')), this.notice,
      h('h1', {}, tournament.names.get(id)), this.lead, this.conduct, h('h2', {}, 'Games'), this.games);
    this.follower = follow(tournament, this);
  }

  begin(tournament) { this.show(tournament); }

  show(tournament) {
    const {team} = this;
    const at = tournament.standings.findIndex((entry) => entry.team === team);
    const {place, figures, won, drawn, lost, byes, scored, conceded, disqualified} = tournament.standings[at];
    const games = tournament.games.filter((game) => game.black === team || game.white === team);
    const left = withdrawal(tournament.rows.get(team));
    this.lead.textContent = `${typeof disqualified === 'string' || !figures ? 'No place' : `Place ${place}`}: ${[...(figures ? [`${figures.points} points`] : []), `${won} won`, `${drawn} drawn`, `${lost} lost`, ...(byes ? [`${byes} by a bye`] : []),
      `score ${signed(scored - conceded)}`, ...tieBreaks(tournament, at), ...(left ? [left] : [])].join(', ')}.`;
    this.conduct.textContent = conduct(games, team);
    clear(this.games, gameTable(tournament, games, 'Games'));
  }

  showNotice(notice) {
    this.notice.textContent = notice;
  }

  receive() {}

  close() { this.follower.close(); }
}

// When the server has ended, its pages show what it sent last.
async function orLast(answer, last) {
  return answer.catch((error) => {
    if (error instanceof Unanswered && last) return last;
    throw error;
  });
}

async function oneView(place, id, [what, which]) {
  const tournament = await orLast(fetchTournament(id), lastTournament(id));
  const info = await gameInfo(tournament.game);
  if (!place.isConnected) return null;
  const page = what === 'team' ? new TeamPage(place, tournament, which) : what === 'game' ? new GamePage(place, tournament, info, Number(which))
    : new Watch(place, tournament, info, what === 'screen');
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

// --- Without a tournament: a recording. ---

function demoNotice({game}) {
  const link = ([name, {title}]) => h('a', {class: 'button', href: `#/watch/${demoId(name)}`, 'aria-current': name === game ? 'page' : null}, title);
  return h('div', {class: 'demo-notice'}, h('p', {}, 'Four levels of Plum play against each other. The games were recorded and are shown again, slowly enough to follow.'),
    h('nav', {'aria-label': 'Recordings', class: 'options'}, gamesWith('hasDemo').map(link)));
}

function ownNotice() {
  return h('section', {class: 'watch-more'}, h('h2', {}, 'Your own tournament'), h('p', {}, isOffline() ? 'A tournament of your own can be watched where plum serve runs: ' : 'No tournament is followed here yet. To watch your own: ', h('code', {}, 'plum tournament run class.ini --serve'), ', or, for any number of them, finished or running, ',
      h('code', {}, 'plum serve --db class.db'), '.'));
}

export async function watchView(place, [id, ...rest]) {
  if (id) return oneView(place, id, rest);
  const tournaments = await orLast(fetchTournaments(), lastTournaments());
  if (!tournaments.length) return oneView(place, demoId(gamesWith('hasDemo')[0][0]), []);
  return tournaments.length > 1 ? listView(place, tournaments) : oneView(place, tournaments[0].id, []);
}
