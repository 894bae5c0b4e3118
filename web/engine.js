// engine: sends requests to two workers. One has the rules, which are small, and answers at once; the other has the engine, searches
// and can be stopped.
import {learnPhrases} from './games.js';
import {Missing, Unanswered, fetchAnswer, onceAnswered, sentence} from './server.js';

// An element of the file without a server that has the text of a file.
export const offlineText = (name) => document.getElementById(`offline-${name}`)?.textContent;

export const isOffline = () => offlineText('rules') !== undefined || location.protocol === 'file:';

function decode(base64) {
  return Uint8Array.from(atob(base64.trim()), (letter) => letter.charCodeAt(0));
}

const moduleOf = (name, path) => onceAnswered(async () => {
  const inline = offlineText(name);
  return inline ? WebAssembly.compile(decode(inline)) : WebAssembly.compileStreaming(fetchAnswer(path));
});

// A stopped search ends its worker. The next worker is made from this page, because the server may have ended.
const workerAddress = onceAnswered(async () => {
  const source = offlineText('worker') ?? await (await fetchAnswer('worker.js')).text();
  return URL.createObjectURL(new Blob([source], {type: 'text/javascript'}));
});

class EngineWorker {
  // compiled(): the module.
  constructor(compiled) {
    this.compiled = compiled;
    this.next = 1;
    this.waiting = new Map();
    this.close();
  }

  async open() {
    const [module, address] = await Promise.all([this.compiled(), workerAddress()]);
    this.worker = new Worker(address);
    this.worker.onmessage = ({data}) => this.receive(data);
    this.worker.onerror = () => this.rejectAll(new Unanswered('The engine in this page has stopped.'));
    this.worker.postMessage(module);
  }

  close() {
    this.worker?.terminate();
    this.ready = onceAnswered(() => this.open());
  }

  receive({id, answer, thinking}) {
    const request = this.waiting.get(id);
    if (!request) return;
    if (thinking) {
      request.onDepth?.(JSON.parse(thinking));
      return;
    }
    this.waiting.delete(id);
    if (!answer.startsWith('{')) {
      request.resolve(answer);
      return;
    }
    const value = JSON.parse(answer);
    if (value.error && !('ok' in value)) request.reject(new Error(sentence(value.error)));
    else request.resolve(value);
  }

  async ask(what, fields, onDepth) {
    await this.ready();
    const lines = [what];
    for (const [name, value] of Object.entries(fields)) {
      if (value !== undefined && value !== null) lines.push(name, String(value));
    }
    return new Promise((resolve, reject) => {
      const id = this.next++;
      this.waiting.set(id, {resolve, reject, onDepth});
      this.worker.postMessage({id, text: lines.join('\n')});
    });
  }

  rejectAll(why) {
    this.close();
    const all = [...this.waiting.values()];
    this.waiting.clear();
    for (const request of all) request.reject(why);
  }

  stop() {
    if (this.waiting.size) this.rejectAll(new Stopped());
  }
}

export class Stopped extends Error {}

// For catch(): a search that was stopped has no report.
export function noReport(error) {
  if (error instanceof Stopped) return null;
  throw error;
}

const rules = new EngineWorker(moduleOf('rules', 'rules.wasm'));
const thinker = new EngineWorker(moduleOf('plum', 'plum.wasm'));

// Resolves when questions to the rules are answered at once.
export const loadRules = () => rules.ready();

export const ask = (what, fields = {}) => rules.ask(what, fields);

// The first page needs only this, and does not load the engine.
const fetchGames = onceAnswered(async () => {
  const answer = await (isOffline() ? ask('games') : (await fetchAnswer('api/v1/games')).json());
  learnPhrases(answer.games);
  return answer;
});

export const allGames = async () => (await fetchGames()).games;

// Ten levels, the weakest first: {level, name, sentence}.
export const allLevels = async () => (await fetchGames()).levels;

export async function gameInfo(name) {
  const info = (await allGames()).find((game) => game.name === name);
  if (!info) throw new Missing(`There is no game called ${name}.`);
  return info;
}

// One search at a time: a new one stops the previous one.
export function think(fields, onDepth) {
  thinker.stop();
  return thinker.ask('bestmove', fields, onDepth);
}

export const stopThinking = () => thinker.stop();

// Loads the engine before it is needed. An error is shown when it is needed.
export const prepareEngine = () => thinker.ready().catch(() => null);

export const isEngineLoaded = () => Boolean(thinker.worker);

// The server's engine is stronger than one inside a page; without a server the page thinks.
export async function thinkDeeply(fields, onDepth) {
  if (!isOffline()) {
    try {
      const answer = await fetch(`api/v1/bestmove?${new URLSearchParams({...fields, time_ms: 2000})}`, {method: 'POST'});
      if (answer.ok) return answer.json();
    } catch {
      // No connection: the page thinks.
    }
  }
  return think({...fields, time_ms: 3000}, onDepth);
}
