// agentlist: the agents of the server. Only a page that was opened with its key can reach them and their games (sessions).
import {isOffline} from './engine.js';
import {sentence, Unanswered} from './server.js';
import {recall, recallObject, remember} from './storage.js';

const AGENT_KEY = 'plum.key';
const SESSION_TOKENS = 'plum.tokens'; // of the games that were begun here, by key and number

const isKey = (text) => /^[0-9a-f]{32}$/.test(text);

export const keyHeader = (key = recall(AGENT_KEY, '')) => ({Authorization: `Bearer ${key}`});

// path: after api/v1/. Errors are as in fetchAnswer.
export async function askServer(path, {method = 'GET', token = '', key, signal} = {}) {
  const headers = {...keyHeader(key), ...(token && {'Plum-Token': token})};
  const answer = await fetch(`api/v1/${path}`, {method, headers, signal}).catch((error) => { throw error.name === 'AbortError' ? error : new Unanswered('The arena does not answer. Is plum serve still running?'); });
  const json = await answer.json().catch(() => ({}));
  if (answer.ok) return json;
  throw new (answer.status === 429 || answer.status >= 500 ? Unanswered : Error)(sentence(json.error || `The arena has no ${path}`));
}

// Keeps the key of an address, if it is the key of this server. Resolves to whether it is.
export async function takeKey(key) {
  const isRight = isKey(key) && Boolean(await askServer('agents', {key}).catch(() => null));
  if (isRight) remember(AGENT_KEY, key);
  return isRight;
}

// what: 'agents' or 'sessions'. Nothing without the key. A key that the server refuses is that of an earlier server.
async function listOf(what) {
  if (isOffline() || !isKey(recall(AGENT_KEY, ''))) return [];
  try {
    return (await askServer(what))[what];
  } catch (error) {
    if (!(error instanceof Unanswered)) remember(AGENT_KEY, '');
    return [];
  }
}

// [{id, name, games}]
export const knownAgents = () => listOf('agents');

const sessionTokens = () => recallObject(SESSION_TOKENS, (name, value) => typeof value === 'string');

export const tokenOf = (id) => sessionTokens()[`${recall(AGENT_KEY, '')}/${id}`] || '';

export const sessionLink = (id) => `#/session/${id}`;

// The games that were begun in this browser and are not over, the newest first: [{id, game, phase, players, ply_count}].
export async function runningSessions() {
  return (await listOf('sessions')).filter(({id, phase}) => tokenOf(id) && phase !== 'over' && phase !== 'ended').sort((one, two) => two.id - one.id);
}

// A player of a session as Match has it.
export const playerOf = ({kind, name, level}) => (kind === 'engine' ? {kind, level} : kind === 'person' ? {kind: 'human', name: 'You'} : {kind, name});

let unseen = ''; // the game that was begun here and not shown yet

// Whether a game is shown for the first time.
export function isFirstView(id) {
  const isFirst = id === unseen;
  if (isFirst) unseen = '';
  return isFirst;
}

// Keeps the token of the person, or of the first side, of a game that was begun: the answer of the server, and who plays second.
export function keepToken({id, tokens}, second) {
  const key = recall(AGENT_KEY, '');
  const kept = Object.fromEntries(Object.entries(sessionTokens()).filter(([name]) => name.startsWith(`${key}/`)));
  remember(SESSION_TOKENS, {...kept, [`${key}/${id}`]: tokens[second === 'person' ? 1 : 0]});
}

// seats: 'person', 'engine:5' or 'agent:1', Black or the first bidder first. Returns the address of the game.
export async function beginSession(game, [first, second], isTimed) {
  const begun = await askServer(`sessions?${new URLSearchParams({game, first, second, timed: isTimed ? '1' : '0'})}`, {method: 'POST'});
  keepToken(begun, second);
  unseen = String(begun.id);
  return sessionLink(begun.id);
}
