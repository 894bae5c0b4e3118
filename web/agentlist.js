// agentlist: the agents of the server. Only a page that was opened with its key can reach them and their games (sessions).
import {isOffline} from './engine.js';
import {sentence, Unanswered} from './server.js';
import {recall, recallObject, remember} from './storage.js';

const AGENT_KEY = 'plum.key';
const SESSION_TOKENS = 'plum.tokens'; // of the games that were begun here, by key and number

// path: after api/v1/. Errors are as in fetchAnswer.
export async function askServer(path, {method = 'GET', token = '', key = recall(AGENT_KEY, ''), signal} = {}) {
  const headers = {Authorization: `Bearer ${key}`, ...(token && {'Plum-Token': token})};
  const answer = await fetch(`api/v1/${path}`, {method, headers, signal}).catch((error) => { throw error.name === 'AbortError' ? error : new Unanswered('The arena does not answer. Is plum serve still running?'); });
  const json = await answer.json().catch(() => ({}));
  if (answer.ok) return json;
  throw new (answer.status === 429 ? Unanswered : Error)(sentence(json.error || `The arena has no ${path}`));
}

// Keeps the key of an address, if it is the key of this server.
export async function takeKey(key) {
  if (/^[0-9a-f]{32}$/.test(key) && await askServer('agents', {key}).catch(() => null)) remember(AGENT_KEY, key);
}

// [{id, name, games}]; none without the key.
export async function knownAgents() {
  if (isOffline() || !/^[0-9a-f]{32}$/.test(recall(AGENT_KEY, ''))) return [];
  return (await askServer('agents').catch(() => ({agents: []}))).agents;
}

const sessionTokens = () => recallObject(SESSION_TOKENS, (name, value) => typeof value === 'string');

export const tokenOf = (id) => sessionTokens()[`${recall(AGENT_KEY, '')}/${id}`] || '';

// seats: 'person', 'engine:5' or 'agent:1', Black or the first bidder first. Returns the address of the game.
export async function beginSession(game, seats, isTimed) {
  const key = recall(AGENT_KEY, '');
  const {id, tokens: given} = await askServer(`sessions?${new URLSearchParams({game, first: seats[0], second: seats[1], timed: isTimed ? '1' : '0'})}`, {method: 'POST'});
  const kept = Object.fromEntries(Object.entries(sessionTokens()).filter(([name]) => name.startsWith(`${key}/`)));
  remember(SESSION_TOKENS, {...kept, [`${key}/${id}`]: given[seats[1] === 'person' ? 1 : 0]});
  return `#/session/${id}`;
}
