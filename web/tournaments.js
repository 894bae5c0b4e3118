// tournaments: fetches the tournaments that the server follows.
import {demoGame, demoRecord, demoTournament} from './demo.js';
import {isOffline} from './engine.js';
import {fetchAnswer} from './server.js';

const fetchPart = (path) => fetchAnswer(`api/v1/tournaments${path}`);

export async function fetchTournaments() {
  return isOffline() ? [] : (await (await fetchPart('')).json()).tournaments;
}

// id: a number, or that of a recording.
export async function fetchTournament(id) {
  if (demoGame(id)) return demoTournament(demoGame(id));
  const tournament = await (await fetchPart(`/${encodeURIComponent(id)}`)).json();
  return {...tournament, id, receivedAt: performance.now(), names: new Map(tournament.teams.map((team) => [team.id, team.name])), rows: new Map(tournament.standings.map((row) => [row.team, row]))};
}

// When an event happened, on the clock of performance.now(). The clock of the server may be wrong: only the difference between its two
// times is used.
export const momentOf = ({now_ms: now, receivedAt}, at) => Math.min(receivedAt - (now - at), performance.now());

export const eventsAddress = (id, after) => `api/v1/tournaments/${id}/events?after=${after}`;

export async function fetchRecord(id, number) {
  if (demoGame(id)) return demoRecord(demoGame(id), number);
  return (await fetchPart(`/${id}/record?game=${encodeURIComponent(number)}`)).text();
}
