// chromium: the browser of the tests. Where the machine cannot run one, a test file that imports this prints what is
// missing and ends with 77, which ctest counts as skipped.
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

// The first line in which chromium itself wrote of an error, or else the first of the message.
function reasonIn(message) {
  const lines = message.replace(/\x1b\[\d*m/g, '').split('\n');
  const own = lines.map((line) => line.match(/\[err\] (.*)/)?.[1]).find((line) => /fatal|error|fail|cannot|denied|no such/i.test(line));
  return own ?? lines[0];
}

const parts = load();
export const {axe} = parts;
export const browser = await launch(parts);

// What a layout has to hold with: the name of the font, and the option `fontScale` that makes it. It makes every letter
// wider or narrower, as other fonts would that a browser takes where ours does not arrive. DejaVu, often the only one, is
// 1.06 to 1.3 times as wide.
export const FONTS = [['our font', {}], ['a wide font', {fontScale: 1.3}], ['a narrow font', {fontScale: .8}]];

// Reduced motion makes the pages quick; one test looks at motion.
export async function openContext({fontScale = 1, ...options} = {}) {
  const context = await browser.newContext({viewport: {width: 1280, height: 800}, reducedMotion: 'reduce', ...options});
  if (fontScale !== 1) await scaleFonts(context, fontScale);
  return context;
}

async function scaleFonts(context, scale) {
  await context.route('**/style.css', async (route) => {
    const style = await (await route.fetch()).text();
    const scaled = style.replaceAll('format("woff2");', `format("woff2"); size-adjust: ${100 * scale}%;`);
    assert.notEqual(scaled, style);
    await route.fulfill({contentType: 'text/css', body: scaled});
  });
}
