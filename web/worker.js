// worker: runs the rules and the engine, compiled to WebAssembly, away from the page.
//
// The first message is the compiled module; each later one is {id, text}, a question as
// src/web/browser/main.c reads it. Answers are {id, answer}; a search also tells {id, thinking}
// after each depth.
let instance = null;
let current = 0;

const bytes = () => new Uint8Array(instance.exports.memory.buffer);

function readText(address) {
  const memory = bytes();
  return new TextDecoder().decode(memory.slice(address, memory.indexOf(0, address)));
}

const system = {
  clock_time_get(clock, precision, out) {
    const now = BigInt(Math.round(performance.now() * 1e6));
    new DataView(instance.exports.memory.buffer).setBigUint64(out, now, true);
    return 0;
  },
};

const NOT_SUPPORTED = 52;

function start(module) {
  const wasi = {};
  for (const {module: from, name} of WebAssembly.Module.imports(module)) {
    if (from === 'wasi_snapshot_preview1') wasi[name] = system[name] || (() => NOT_SUPPORTED);
  }
  const page = {thinking: (address) => postMessage({id: current, thinking: readText(address)})};
  instance = new WebAssembly.Instance(module, {wasi_snapshot_preview1: wasi, page});
  instance.exports._initialize();
}

function answer(text) {
  const question = new TextEncoder().encode(text);
  const address = instance.exports.question(question.length);
  bytes().set(question, address);
  return readText(instance.exports.answer());
}

onmessage = ({data}) => {
  if (data instanceof WebAssembly.Module) {
    start(data);
  } else {
    current = data.id;
    postMessage({id: data.id, answer: answer(data.text)});
  }
};
