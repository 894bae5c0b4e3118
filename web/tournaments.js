// tournaments: fetches the tournaments that the server follows.
import {demoGame, demoRecord, demoTournament} from './demo.js';
import {isOffline} from './engine.js';
import {fetchAnswer} from './server.js';

const fetchPart = (path) => fetchAnswer(`api/v1/tournaments${path}`);

// The answers, to be shown when the server has ended.
let latestList = null;
const answers = new Map();

// The latest answer about all tournaments, or about one, if there is one.
export const lastTournaments = () => latestList;
export const lastTournament = (id) => answers.get(String(id));

// Names that several teams have, with the id: "Ada (7)".
export function withOwnNames(teams) {
  const shared = new Set(teams.map(({name}) => name).filter((name, at, all) => all.indexOf(name) !== at));
  return teams.map((team) => (shared.has(team.name) ? {...team, name: `${team.name} (${team.id})`} : team));
}

export async function fetchTournaments() {
  if (isOffline()) return [];
  latestList = (await (await fetchPart('')).json()).tournaments;
  return latestList;
}

// id: a number, or that of a recording.
export async function fetchTournament(id) {
  if (demoGame(id)) return demoTournament(demoGame(id));
  const tournament = await (await fetchPart(`/${encodeURIComponent(id)}`)).json();
  const teams = withOwnNames(tournament.teams);
  const answer = {...tournament, id, teams, receivedAt: performance.now(), names: new Map(teams.map((team) => [team.id, team.name])), rows: new Map(tournament.standings.map((row) => [row.team, row]))};
  answers.set(String(id), answer);
  return answer;
}

// When an event happened, on the clock of performance.now(). The clock of the server may be wrong: only the difference between its two
// times is used.
export const momentOf = ({now_ms: now, receivedAt}, at) => Math.min(receivedAt - (now - at), performance.now());

export const eventsAddress = (id, after) => `api/v1/tournaments/${id}/events?after=${after}`;

export async function fetchRecord(id, number) {
  if (demoGame(id)) return demoRecord(demoGame(id), number);
  return (await fetchPart(`/${id}/record?game=${encodeURIComponent(number)}`)).text();
}
