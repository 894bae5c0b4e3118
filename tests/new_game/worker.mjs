// worker: runs web/worker.js with the modules that were just built, and asks them about a game. The one with the rules does not search.
//
// usage: worker.mjs WORKER BUILD GAME
import {readFileSync} from 'node:fs';
import {join} from 'node:path';
import vm from 'node:vm';

const [workerFile, build, game] = process.argv.slice(2);

// A function that sends a request to a worker with this module.
function start(name) {
  const answers = [];
  const page = {
    WebAssembly, TextEncoder, TextDecoder, Uint8Array, DataView, BigInt, Math, performance,
    postMessage: (message) => answers.push(message),
  };
  vm.runInNewContext(readFileSync(workerFile, 'utf8'), page);
  page.onmessage({data: new WebAssembly.Module(readFileSync(join(build, name)))});
  return (text) => {
    page.onmessage({data: {id: 1, text}});
    return JSON.parse(answers.filter(({answer}) => answer).at(-1).answer);
  };
}

const POSITION = `game\n${game}\nposition\nXX./OO./... b`;
const [askRules, askEngine] = ['rules.wasm', 'plum.wasm'].map(start);
const position = askRules(`position\n${POSITION}`);
const same = askEngine(`position\n${POSITION}`);
const refusal = askRules(`bestmove\n${POSITION}\ndepth\n4`);
const best = askEngine(`bestmove\n${POSITION}\ndepth\n4`);
if (!position.moves.includes('02') || JSON.stringify(position) !== JSON.stringify(same) || !/rules only/.test(refusal.error) || best.move !== '02') {
  console.error('the worker answers', position, same, refusal, best);
  process.exit(1);
}
