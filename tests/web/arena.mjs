// arena: starts `plum serve` for a test and ends it again.
import {spawn} from 'node:child_process';
import {once} from 'node:events';

export const plum = process.env.PLUM;

export async function openArena(...args) {
  const child = spawn(plum, ['serve', '--port', '0', ...args], {stdio: ['ignore', 'pipe', 'inherit']});
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
