// haste: a user who is faster than the rules. Every request to the worker is delayed; meanwhile the user clicks again, or opens
// another page.
import test from 'node:test';
import assert from 'node:assert/strict';
import {CHAIN, arena, checkRecord, match, open, pick, playSquares, plies, square, until} from './visitor.mjs';

const openSlow = (address) => open(address, {isSlow: true});

// Clicks, in one task after the other, on the first element of each selector.
const clickAll = (page, ...selectors) => page.evaluate((all) => {
  for (const selector of all) setTimeout(() => document.querySelector(selector).click());
}, selectors);

const cell = (name) => `.stage [data-square="${name}"]`;

test('an editor that was left while the rules answer does not change the address', async () => {
  const page = await openSlow('#/play/edit/hop');
  await page.locator('.commit a[href]').first().waitFor();
  await page.getByLabel('Position as text').fill('start');
  await page.evaluate(() => {
    document.querySelector('.position-text').dispatchEvent(new Event('change'));
    location.hash = '#/rules/hop';
  });
  await page.locator('.try .is-source').first().waitFor(); // the rules answer in order
  assert.equal(new URL(page.url()).hash, '#/rules/hop');
});

test('no drag, no click and no key is lost when many come at once', async () => {
  const page = await openSlow(`#/play/hop?level=1&kind=people&position=${CHAIN}`);
  await until(page, async () => /is-source/.test(await square(page, '22').getAttribute('class')), '22 can be chosen');
  await square(page, '22').dragTo(square(page, '42'));
  await page.getByText('3 hops so far, 3 captured').waitFor();
  for (let count = 0; count < 3; count++) await page.keyboard.press('Escape');
  await page.getByText('Black: choose where to go.').waitFor();
  await clickAll(page, cell('24'), cell('44'), cell('42'));
  await page.getByText('3 hops so far, 3 captured').waitFor();
  await page.keyboard.press('Escape');
  await page.getByRole('button', {name: 'Play this move'}).click();
  await until(page, () => plies(page), 'what is left of the chain is sent');
  assert.equal((await match(page)).plies[0].move, '22-24-44');
});

test('a second finger on the board does not end the drag of the first', async () => {
  const page = await open('#/play/hop?level=1&kind=people');
  await until(page, async () => /is-source/.test(await square(page, '22').getAttribute('class')), '22 can be dragged');
  await page.evaluate(() => {
    const send = (type, finger, name) => {
      const cell = document.querySelector(`.stage [data-square="${name}"]`);
      const {left, top, width, height} = cell.getBoundingClientRect();
      cell.dispatchEvent(new PointerEvent(type, {pointerId: finger, clientX: left + width / 2, clientY: top + height / 2, button: 0, bubbles: true}));
    };
    send('pointerdown', 1, '22');
    send('pointermove', 1, '23');
    send('pointerdown', 2, '55');
    send('pointermove', 2, '56');
    send('pointerup', 2, '56');
    send('pointerup', 1, '23');
  });
  await until(page, () => plies(page), 'the man is dropped');
  assert.equal((await match(page)).plies[0].move, '22-23');
});

test('a double click on the button to pass makes one pass', async () => {
  const page = await openSlow('#/play/reversi?level=1&kind=people&position=*XXX..X*/OOXXXXXX/XOOXXXXX/XOOOXOXX/XOXOOXOX/XXOXOXOX/XXXOXOOX/*OOOOOO*_b');
  await page.getByRole('button', {name: 'Pass'}).evaluate((button) => {
    button.click();
    button.click();
  });
  await page.getByText('Black had to pass. White to move').waitFor();
  assert.deepEqual((await match(page)).plies.map(({move}) => move), ['pass']);
});

test('a move taken back while the engine moves also takes back the move of the engine', async () => {
  const page = await openSlow('#/play/othello?level=1');
  await page.evaluate(() => {
    globalThis.onRequest = (text) => {
      if (!/^position\n[^]*\nmoves\n/.test(text)) return;
      globalThis.onRequest = null;
      [...document.querySelectorAll('button')].find(({ariaLabel}) => ariaLabel === 'Take back').click();
    };
  });
  await pick(page, '23');
  await until(page, async () => (await page.evaluate(() => globalThis.onRequest)) === null, 'the engine has chosen its move');
  await playSquares(page, '32');
  await until(page, async () => (await plies(page)) === 2, 'the engine answers');
  assert.deepEqual((await match(page)).plies.map(({side}) => side), ['black', 'white']);
  assert.match(await checkRecord(page), /^1\. b 32 /m);
});

test('a resignation right after a move leaves a correct record', async () => {
  const page = await openSlow('#/play/othello?level=1&kind=people');
  await until(page, () => page.locator('.stage .is-target').count(), 'the game begins');
  await page.evaluate(async (selector) => {
    document.querySelector(selector).click();
    while (!JSON.parse(localStorage.getItem('plum.running'))[0].plies.length) await new Promise((done) => { setTimeout(done); });
    [...document.querySelectorAll('button')].find(({textContent}) => textContent === 'Resign').click();
    document.querySelector('dialog [value=yes]').click();
  }, cell('23'));
  await page.getByText('White gave up.').waitFor();
  assert.match(await checkRecord(page), /\[Score "3--3"\]/);
});

test('a hint that comes too late is not shown', async () => {
  const page = await openSlow('#/play/othello?level=1&kind=people');
  await until(page, () => page.locator('.stage .is-target').count(), 'the game begins');
  await page.keyboard.press('h');
  await playSquares(page, '23');
  await page.getByText('White to move').waitFor();
  assert.equal(await page.getByRole('heading', {name: 'How Plum thinks'}).count(), 0);
});

test('a game that was left does not end the next one', async () => {
  const page = await openSlow('#/play/othello?level=1&kind=people');
  await playSquares(page, '23');
  const old = new URL(page.url()).hash;
  await page.goto(`${arena.url}#/agents`);
  await page.evaluate((hash) => {
    location.hash = hash;
    setTimeout(() => { location.hash = '#/play/hop?level=1&kind=people'; });
  }, old);
  await page.getByRole('heading', {name: 'Hop'}).waitFor();
  await playSquares(page, '22-23');
  await page.getByText('White to move').waitFor();
});

test('a record that was left while it was read is not opened', async () => {
  const page = await openSlow('#/learn');
  await page.getByLabel(/Paste a game record/).fill('[Game "meichu"]\n[Result "*"]\n[Bids "0 40, 0 25"]\n\n1. b 64-54\n\n');
  await page.getByRole('button', {name: 'Open'}).click();
  await page.evaluate(() => { location.hash = '#/learn/othello?moves=23'; });
  await page.getByText(/blunders? found|No blunder found/).waitFor();
  assert.match(page.url(), /#\/learn\/othello\?moves=23$/);
  await page.keyboard.press('End');
  await page.getByText('1. Black played 23').waitFor();
});

test('a puzzle hides the solution at once', async () => {
  const page = await openSlow(`#/learn/hop?start=${CHAIN}&moves=61-62`);
  await page.getByText('1 blunder found').waitFor();
  const offered = await page.getByRole('button', {name: 'Solve the mistakes'}).evaluate((button) => {
    button.click();
    return [...document.querySelectorAll('.panel button')].filter(({hidden}) => !hidden).map(({textContent}) => textContent);
  });
  assert.ok(offered.includes('Show it'));
  assert.ok(!offered.includes('Look deeper here') && !offered.includes('Solve the mistakes'), offered.join());
});

test('a bid counts once, whatever is typed and pressed afterwards', async () => {
  const page = await openSlow('#/play/meichu?level=1');
  await page.locator('.bid-form').evaluate((form) => {
    for (const price of ['41', '42']) {
      form.elements.price.value = price;
      form.querySelector('button').click();
    }
  });
  await page.getByRole('button', {name: 'To the board'}).waitFor();
  assert.match(await page.locator('.envelopes').textContent(), /41/);
});
