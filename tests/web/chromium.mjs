// chromium: the browser of the tests. On a machine that cannot run it, a test file that imports this prints what is missing and
// ends with 77, which ctest counts as skipped.
import assert from 'node:assert/strict';
import {existsSync, readFileSync} from 'node:fs';
import {createRequire} from 'node:module';

const executablePath = process.env.CHROMIUM || '/usr/bin/chromium';

function skip(reason) {
  console.log(`skipped: ${reason}`);
  process.exit(77);
}

function load() {
  const require = createRequire(import.meta.url);
  try {
    return {...require('playwright-core'), axe: readFileSync(require.resolve('axe-core/axe.min.js'), 'utf8')};
  } catch (error) {
    if (error.code !== 'MODULE_NOT_FOUND') throw error;
    return skip("playwright-core and axe-core are not installed; run 'make deps-test' where the npm registry can be reached");
  }
}

// Without a sandbox and without /dev/shm, so that it also starts as root, in a container and in a chroot.
async function launch({chromium}) {
  if (!existsSync(executablePath)) skip(`${executablePath} does not exist; install chromium, or set CHROMIUM to its path`);
  try {
    return await chromium.launch({
      executablePath,
      args: ['--no-sandbox', '--disable-dev-shm-usage', '--disable-background-networking', '--disable-component-update'],
    });
  } catch (error) {
    return skip(`${executablePath} does not start: ${reasonIn(error.message)}`);
  }
}

// The first error in the output of Chromium, or else the first line of the message.
function reasonIn(message) {
  const lines = message.replace(/\x1b\[\d*m/g, '').split('\n');
  const own = lines.map((line) => line.match(/\[err\] (.*)/)?.[1]).find((line) => /fatal|error|fail|cannot|denied|no such/i.test(line));
  return own ?? lines[0];
}

const parts = load();
export const {axe} = parts;
export const browser = await launch(parts);

// The layout must also hold with other fonts: a browser uses one of its own where ours does not arrive. DejaVu, often the only font
// of a machine, is 1.06 to 1.3 times as wide as ours.
export const FONTS = [['our font', 1], ['a wide font', 1.3], ['a narrow font', .8]];

// Makes every letter of a page wider or narrower, until it is loaded again.
export async function scaleFonts(page, scale) {
  const changed = await page.evaluate(async (percent) => {
    const faces = [...document.styleSheets].flatMap(({cssRules}) => [...cssRules]).filter((rule) => rule instanceof CSSFontFaceRule);
    for (const {style} of faces) style.setProperty('size-adjust', percent);
    await document.fonts.ready;
    return faces.map(({style}) => style.getPropertyValue('size-adjust'));
  }, `${100 * scale}%`);
  assert.deepEqual(changed, Array(2).fill(`${100 * scale}%`));
}

// Runs in the page. globalThis.onRequest(text) is called before the delay.
function delayRequests() {
  const {postMessage} = Worker.prototype;
  Worker.prototype.postMessage = function later(...message) {
    globalThis.onRequest?.(message[0].text);
    setTimeout(() => postMessage.apply(this, message), 200);
  };
}

// Reduced motion makes the pages quick. isSlow: every request to a worker of a page is delayed.
export async function openContext({isSlow = false, ...options} = {}) {
  const context = await browser.newContext({viewport: {width: 1280, height: 800}, reducedMotion: 'reduce', ...options});
  if (isSlow) await context.addInitScript(delayRequests);
  return context;
}
