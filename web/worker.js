// worker: runs the rules and the engine, compiled to WebAssembly, away from the page.
//
// The first message is the compiled module; each later one is {id, text}, a request as
// src/web/browser/main.c reads it. Responses are {id, answer}; a search also sends {id, thinking}
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
  const page = {search_depth: (address) => postMessage({id: current, thinking: readText(address)})};
  instance = new WebAssembly.Instance(module, {wasi_snapshot_preview1: wasi, page});
  instance.exports._initialize();
}

function answer(text) {
  const request = new TextEncoder().encode(text);
  const address = instance.exports.request(request.length);
  bytes().set(request, address);
  return readText(instance.exports.respond());
}

onmessage = ({data}) => {
  if (data instanceof WebAssembly.Module) {
    start(data);
  } else {
    current = data.id;
    postMessage({id: data.id, answer: answer(data.text)});
  }
};
