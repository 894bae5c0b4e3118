// tournaments: what the server tells of the tournaments it follows.
import {isOffline} from './engine.js';
import {fetchAnswer} from './server.js';

const fetchPart = (path) => fetchAnswer(`api/v1/tournaments${path}`);

export async function fetchTournaments() {
  return isOffline() ? [] : (await (await fetchPart('')).json()).tournaments;
}

export async function fetchScene(id) {
  const scene = await (await fetchPart(`/${id}`)).json();
  return {...scene, id, heardAt: performance.now(), names: new Map(scene.teams.map((team) => [team.id, team.name])), rows: new Map(scene.standings.map((row) => [row.team, row]))};
}

// When an event happened, on the clock of performance.now(). The server's own may show any time: only what it says of both
// moments counts.
export const momentOf = ({now_ms: now, heardAt}, at) => Math.min(heardAt - (now - at), performance.now());

export const eventsAddress = (id, after) => `api/v1/tournaments/${id}/events?after=${after}`;

export async function fetchRecord(id, number) {
  return (await fetchPart(`/${id}/record?game=${encodeURIComponent(number)}`)).text();
}
