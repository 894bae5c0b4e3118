// tournaments: what the server tells of the tournaments it follows.
import {isOffline} from './engine.js';

async function fetchPart(path) {
  const answer = await fetch(`api/v1/tournaments${path}`);
  if (!answer.ok) throw new Error((await answer.json()).error);
  return answer;
}

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
