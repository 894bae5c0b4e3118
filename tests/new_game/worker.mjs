// worker: runs web/worker.js with a module that was just built, and asks it about a game.
//
// usage: worker.mjs WORKER WASM GAME
import {readFileSync} from 'node:fs';
import vm from 'node:vm';

const [workerFile, wasmFile, game] = process.argv.slice(2);
const answers = [];
const page = {
  WebAssembly, TextEncoder, TextDecoder, Uint8Array, DataView, BigInt, Math, performance,
  postMessage: (message) => answers.push(message),
};
vm.runInNewContext(readFileSync(workerFile, 'utf8'), page);
page.onmessage({data: new WebAssembly.Module(readFileSync(wasmFile))});

function ask(text) {
  page.onmessage({data: {id: 1, text}});
  return JSON.parse(answers.filter(({answer}) => answer).at(-1).answer);
}

const position = ask(`position\ngame\n${game}\nposition\nXX./OO./... b`);
const best = ask(`bestmove\ngame\n${game}\nposition\nXX./OO./... b\ndepth\n4`);
if (!position.moves.includes('02') || best.move !== '02') {
  console.error('the worker answers', position, best);
  process.exit(1);
}
