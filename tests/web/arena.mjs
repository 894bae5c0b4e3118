// arena: starts `plum serve` for a test and ends it again.
import {spawn} from 'node:child_process';
import {once} from 'node:events';
import {existsSync, writeFileSync} from 'node:fs';

export const plum = process.env.PLUM;

const running = new Set();

function start(args, options) {
  const child = spawn(plum, args, options);
  running.add(child);
  child.on('exit', () => running.delete(child));
  return child;
}

// Whatever a failed test has left running must not outlive the tests.
export function endAll() {
  for (const child of running) child.kill('SIGKILL');
}

export async function openArena(...args) {
  const child = start(['serve', '--port', '0', ...args], {stdio: ['ignore', 'pipe', 'inherit']});
  let text = '';
  for await (const chunk of child.stdout) {
    text += chunk;
    const found = text.match(/http:\/\/[^ ]+:(\d+)\//);
    if (found) return {child, url: found[0], port: Number(found[1])};
  }
  throw new Error(`plum serve did not start: ${text}`);
}

// What it ends with: it must come down cleanly, also under a sanitizer.
export async function closeArena({child}) {
  child.kill('SIGINT');
  const [code] = child.exitCode === null ? await once(child, 'exit') : [child.exitCode];
  return code;
}

// A tournament whose games take a few seconds each; resolves when its database is there.
export async function beginTournament(folder, moveMs = 40) {
  writeFileSync(`${folder}/class.ini`, `[tournament]
name = <b>Class</b>
game = othello
format = double-round-robin
[team 1]
name = <script>alert(1)</script>
player = builtin:movetime=${moveMs}
[team 2]
name = The others
player = builtin:movetime=${moveMs}
[team 3]
player = random
`);
  const child = start(['tournament', 'run', 'class.ini', '--concurrency', '2'], {cwd: folder, stdio: 'ignore'});
  for (let tries = 0; tries < 200 && !existsSync(`${folder}/class.db`); tries++) await new Promise((done) => setTimeout(done, 50));
  await new Promise((done) => setTimeout(done, 300));
  return child;
}
