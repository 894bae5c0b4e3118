// demo: a recorded tournament, played again as if it were running now. tools/demo.sh makes the records, one file for each game; no
// server and no engine takes part.
import {ask, offlineText} from './engine.js';
import {gameOf} from './games.js';
import {fetchAnswer, onceAnswered} from './server.js';

const BOARDS = 2;
const PAUSE_MS = 4000; // before a game begins: the result of the one before is shown
const PLY_MS = 800;
const END_MS = 20000; // before all begins again

export const demoId = (game) => `demo-${game}`;

export const demoGame = (id) => String(id).match(/^demo-(.+)$/)?.[1];

const recordTags = (text) => Object.fromEntries([...text.matchAll(/^\[(\w+) "(.*)"\]$/gm)].map(([, name, value]) => [name, value]));

// When each game starts, each move is made and each game is over, in milliseconds from the beginning; two games at a time.
function schedule(games) {
  const free = Array(BOARDS).fill(0);
  const events = [];
  for (const {number, start, lines, ending} of games) {
    const board = free.indexOf(Math.min(...free));
    let at = free[board] + (free[board] ? PAUSE_MS : 0);
    events.push({at, kind: 'start', game: number, text: start});
    for (const line of lines) {
      at += PLY_MS;
      events.push({at, kind: 'ply', game: number, text: line});
    }
    events.push({at: at + 1, kind: 'over', game: number, text: ending});
    free[board] = at + 1;
  }
  return events.sort((one, two) => one.at - two.at).map((event, index) => ({...event, id: index + 1}));
}

function readDemo(game, text, records) {
  const texts = text.trim().split(/\n\n(?=\[)/).map((one) => `${one}\n\n`);
  const teams = [...new Set(texts.flatMap((one) => [recordTags(one).Black, recordTags(one).White]))].sort().map((name, at) => ({id: String(at + 1), name}));
  const placeOf = (name) => teams.findIndex((team) => team.name === name);
  const games = texts.map((one, at) => {
    const {Round: round, Black: black, White: white, Result: result, Score: score, Reason: reason} = recordTags(one);
    const places = [black, white].map(placeOf);
    return {
      number: at + 1, round: parseInt(round, 10), text: one, start: `${places.join(' ')} ${records[at].start}`, lines: one.match(/^\d+\. .*$/gm) || [], ending: `${result} ${score} ${reason}`,
      black: teams[places[0]].id, white: teams[places[1]].id, result, reason, score: score.match(/^(-?\d+)-(-?\d+)$/).slice(1).map(Number), plies: 0, faults: [{}, {}], slowest_ms: [0, 0],
    };
  });
  return {game, teams, games, events: schedule(games), since: performance.now()};
}

const demos = new Map();

export function fetchDemo(game) {
  if (!gameOf(game).hasDemo) throw new Error(`There is no recording of ${gameOf(game).title}.`);
  if (!demos.has(game)) {
    demos.set(game, onceAnswered(async () => {
      const text = offlineText(`demo-${game}`) ?? await (await fetchAnswer(`demo/${game}.txt`)).text();
      return readDemo(game, text, (await ask('record', {text})).games);
    }));
  }
  return demos.get(game)();
}

// --- The tournament at one moment. ---

function standing(team, played) {
  const own = played.filter(({black, white}) => black === team || white === team);
  const side = ({black}) => (black === team ? 0 : 1);
  const count = (wanted) => own.filter((game) => wanted.includes(`${side(game)} ${game.result}`)).length;
  const sum = (of) => own.reduce((total, game) => total + game.score[of(game)], 0);
  const [won, drawn] = [count(['0 1-0', '1 0-1']), count(['0 1/2-1/2', '1 1/2-1/2'])];
  const [scored, conceded] = [sum(side), sum((game) => 1 - side(game))];
  return {team, won, drawn, lost: own.length - won - drawn, byes: 0, scored, conceded, withdrawn_after: null, disqualified: null, figures: {points: 2 * won + drawn, differential: scored - conceded}};
}

const byFigures = ({won, figures: one}, {won: otherWon, figures: two}) => two.points - one.points || otherWon - won || two.differential - one.differential;

// The same fields as an answer of the arena.
export async function demoTournament(game) {
  const demo = await fetchDemo(game);
  const {teams, events} = demo;
  const now = performance.now();
  const last = events.at(-1).at;
  if (now - demo.since > last + END_MS) demo.since = now;
  const past = events.filter(({at}) => at <= now - demo.since);
  const of = (kind) => new Map(past.filter((event) => event.kind === kind).map((event) => [event.game, event]));
  const [started, ended] = [of('start'), of('over')];
  const moment = ({at}) => demo.since + at;
  const games = demo.games.map(({number, round, black, white, text, start, lines, ending, ...facts}) => (ended.has(number)
    ? {number, round, black, white, status: 'played', ended_ms: moment(ended.get(number)), ...facts} : {number, round, black, white, status: started.has(number) ? 'running' : 'planned'}));
  const played = games.filter(({status}) => status === 'played');
  const running = games.filter(({status}) => status === 'running').map(({number}) => {
    const plies = past.filter((event) => event.kind === 'ply' && event.game === number);
    return {game: number, start: demo.games[number - 1].start, plies: plies.map(({text}) => text), at_ms: moment(plies.at(-1) || started.get(number))};
  });
  const standings = teams.map(({id}) => standing(id, played)).sort(byFigures).map((row, at) => ({...row, place: at + 1, decided_by: ''}));
  return {
    id: demoId(game), name: `${gameOf(game).title}: a recorded tournament`, game, isRecorded: true, format: 'double-round-robin', rounds: Math.max(...games.map(({round}) => round)), team_count: teams.length, teams,
    played_games: played.length, annulled_games: 0, cancelled_games: 0, total_games: games.length, over: played.length === games.length, attended: true, event: past.length,
    standings, byes: [], games, running, now_ms: now, receivedAt: now, names: new Map(teams.map((team) => [team.id, team.name])), rows: new Map(standings.map((row) => [row.team, row])),
  };
}

export const demoRecord = async (game, number) => (await fetchDemo(game)).games[number - 1].text;

// Calls a listener as Follower in follow.js does.
export class DemoFollower {
  constructor(tournament, listener) {
    this.listener = listener;
    this.isConnected = true;
    this.begin(tournament);
  }

  begin(tournament) {
    this.listener.begin(tournament);
    this.next = tournament.event;
    this.run(async () => {
      this.demo = await fetchDemo(tournament.game);
      this.wait();
    });
  }

  // An error is shown and ends the recording. It is also one of the page, as in Follower.
  run(task) {
    task().catch((error) => {
      this.listener.showNotice(`The recording has stopped: ${error.message}`);
      throw error;
    });
  }

  wait() {
    if (this.isClosed) return;
    const event = this.demo.events[this.next];
    const at = event ? event.at : this.demo.events.at(-1).at + END_MS + 1;
    this.timer = setTimeout(() => this.run(() => (event ? this.send(event) : this.restart())), Math.max(this.demo.since + at - performance.now(), 0));
  }

  async send(event) {
    this.next++;
    this.listener.receive({...event, at_ms: this.demo.since + event.at});
    if (event.kind !== 'ply') {
      const tournament = await demoTournament(this.demo.game);
      if (!this.isClosed) this.listener.show(tournament);
    }
    this.wait();
  }

  async restart() {
    const tournament = await demoTournament(this.demo.game);
    if (!this.isClosed) this.begin(tournament);
  }

  restartSoon() {}

  close() {
    this.isClosed = true;
    clearTimeout(this.timer);
  }
}
