// tournaments: what the server tells of the tournaments it follows.
import {isOffline} from './engine.js';
import {fetchAnswer} from './server.js';

const fetchPart = (path) => fetchAnswer(`api/v1/tournaments${path}`);

export async function fetchTournaments() {
  return isOffline() ? [] : (await (await fetchPart('')).json()).tournaments;
}

export async function fetchScene(id) {
  return {...await (await fetchPart(`/${id}`)).json(), id};
}

export const eventsAddress = (id, after) => `api/v1/tournaments/${id}/events?after=${after}`;

export async function fetchRecord(id, number) {
  return (await fetchPart(`/${id}/record?game=${encodeURIComponent(number)}`)).text();
}
