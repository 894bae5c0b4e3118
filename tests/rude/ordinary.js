// ordinary: what a program for Node.js does, and a sandbox need not refuse.
const fs = require('fs');
const os = require('os');
const path = require('path');
const { execFileSync } = require('child_process');
const { Worker } = require('worker_threads');

const file = path.join(os.tmpdir(), 'ordinary.txt');
fs.writeFileSync(file, 'text');
fs.readFile(file, () => fs.unlinkSync(file));
execFileSync('true');
require('crypto').randomBytes(8);
os.cpus();
const worker = new Worker('require("worker_threads").parentPort.postMessage(1)', { eval: true });
worker.on('message', () => console.log('done'));
