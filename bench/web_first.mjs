// web_first: how soon a new visitor can make the first move, how many requests a reload takes, and whether the pages clean up.
//
// usage: node bench/web_first.mjs BUILD [GAME]
//
// Prints for a phone on a slow connection (1.6 Mbit/s, 150 ms to the server, processor slowed four times) when the first page and when
// a board that can be moved on is there, five times each with an empty cache, and the median. Then the bytes of the first page with all it needs, as
// they are sent, the requests of a warm reload that reach the server, and event listeners and elements after 500 changes of the page. Exit code 1: a
// bar is missed (2.5 s, 110 KB, 6 requests, no growth).
//
// The slowdown is Chromium's own: it does not slow workers. Needs chromium and the packages of tests/web.
import {resolve} from 'node:path';

process.env.PLUM = `${resolve(process.argv[2])}/plum`;
const {openArena, closeArena} = await import('../tests/web/arena.mjs');
const {browser, openContext} = await import('../tests/web/chromium.mjs');

const arena = await openArena();
const game = process.argv[3] ?? (await (await fetch(`${arena.url}api/v1/games`)).json()).games[0].name;
const CONNECTION = {offline: false, latency: 150, downloadThroughput: 1.6e6 / 8, uploadThroughput: 750e3 / 8};
const RUNS = 5;
const BAR_MS = 2500;
const BAR_KB = 110;
const BAR_REQUESTS = 6;
const CHANGES = 500;
const PAGES = ['#/', `#/rules/${game}`, '#/agents', '#/docs', '#/learn', '#/watch', `#/play/${game}?level=1`];
const READY = '.stage :is(.is-source, .is-target)';

// The page itself notes the time: a locator looks only every half second after its first tries.
async function openSlow(address, ready) {
  const context = await openContext({viewport: {width: 390, height: 844}, isMobile: true, hasTouch: true});
  const page = await context.newPage();
  const session = await context.newCDPSession(page);
  await session.send('Network.enable');
  await session.send('Network.emulateNetworkConditions', CONNECTION);
  await session.send('Emulation.setCPUThrottlingRate', {rate: 4});
  await page.addInitScript((wanted) => {
    new MutationObserver(() => {
      if (!window.readyAfter && document.querySelector(wanted)) window.readyAfter = performance.now();
    }).observe(document, {subtree: true, childList: true, attributes: true});
  }, ready);
  await page.goto(`${arena.url}${address}`, {waitUntil: 'commit'});
  await page.locator(ready).first().waitFor();
  const ms = await page.evaluate(() => Math.round(window.readyAfter));
  await context.close();
  return ms;
}

async function medianOf(what, address, ready) {
  const times = [];
  for (let run = 0; run < RUNS; run++) times.push(await openSlow(address, ready));
  const median = [...times].sort((a, b) => a - b)[Math.floor(RUNS / 2)];
  console.log(`${what}: median ${median} ms of ${times.join(', ')}`);
  return median;
}

// What a visitor with an empty cache loads for the first page.
async function measureFirst() {
  const context = await openContext();
  const page = await context.newPage();
  const session = await context.newCDPSession(page);
  let bytes = 0;
  let count = 0;
  await session.send('Network.enable');
  session.on('Network.loadingFinished', ({encodedDataLength}) => { bytes += encodedDataLength; count++; });
  await page.goto(arena.url, {waitUntil: 'networkidle'});
  await page.locator('.daily .board').waitFor();
  await context.close();
  console.log(`the first page with all it needs: ${(bytes / 1000).toFixed(1)} KB in ${count} requests`);
  return bytes / 1000;
}

// What reaches the server when a game is loaded again.
async function countRequests(page) {
  const session = await page.context().newCDPSession(page);
  const asked = new Map();
  await session.send('Network.enable');
  session.on('Network.requestWillBeSent', ({requestId, request}) => /^http/.test(request.url) && asked.set(requestId, request.url));
  session.on('Network.requestServedFromCache', ({requestId}) => asked.delete(requestId));
  session.on('Network.responseReceived', ({requestId, response}) => response.fromDiskCache && asked.delete(requestId));
  await page.reload();
  await page.locator(READY).first().waitFor();
  await page.waitForTimeout(2000); // the engine is loaded last
  await session.detach();
  console.log(`a warm reload of a game: ${asked.size} requests reach the server (${[...asked.values()].map((url) => url.slice(arena.url.length) || 'index.html').join(', ')})`);
  return asked.size;
}

async function countAfter(page, changes) {
  for (let change = 0; change < changes; change++) {
    await page.evaluate((hash) => { location.hash = hash; }, PAGES[change % PAGES.length]);
    await page.waitForFunction(() => Boolean(document.querySelector('#main h1')));
  }
  const session = await page.context().newCDPSession(page);
  await page.goto(`${arena.url}#/agents`);
  await page.waitForTimeout(1000);
  await session.send('HeapProfiler.collectGarbage');
  await session.send('Performance.enable');
  const {metrics} = await session.send('Performance.getMetrics');
  await session.detach();
  const count = (name) => metrics.find((metric) => metric.name === name).value;
  return {listeners: count('JSEventListeners'), nodes: count('Nodes')};
}

await medianOf('first page', '', '.game-card');
const first = await medianOf(`first move of ${game} possible`, `#/play/${game}?level=1`, READY);
const kilobytes = await measureFirst();
const context = await openContext();
const page = await context.newPage();
await page.goto(`${arena.url}#/play/${game}?level=1`);
await page.locator(READY).first().waitFor();
await page.waitForTimeout(3000);
const requests = await countRequests(page);
const before = await countAfter(page, 2 * PAGES.length);
const after = await countAfter(page, CHANGES);
console.log(`after ${2 * PAGES.length} changes of the page ${before.listeners} listeners and ${before.nodes} nodes, after ${CHANGES} more ${after.listeners} and ${after.nodes}`);
await browser.close();
await closeArena(arena);
const isGood = first <= BAR_MS && kilobytes <= BAR_KB && requests <= BAR_REQUESTS && after.listeners <= before.listeners;
console.log(isGood ? 'PASS' : 'FAIL');
process.exitCode = isGood ? 0 : 1;
