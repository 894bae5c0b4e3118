// auction: secret bids for a colour, and their result.
import {h, clear} from './dom.js';
import {ask} from './engine.js';
import {picture} from './board.js';
import {gameOf} from './games.js';
import {playerName} from './match.js';

export const COLOURS = ['Black', 'White'];

const BUDGET = 150;
const HIGHEST = 140; // a higher price counts as this

// What a bid leads to, in a sentence for each answer of the other side.
export function bidSentence(colour, price, rival) {
  const counted = Math.min(price, HIGHEST);
  const [mine, others] = [COLOURS[colour], COLOURS[1 - colour]];
  const won = counted > 0 ? `If ${rival} also wants ${mine} and bids less, you pay its bid\u00a0+\u00a01 and keep at least ${BUDGET - counted}. ` : '';
  const lost = counted === HIGHEST ? `If it bids ${HIGHEST}, lots are drawn.`
    : `If ${won ? 'it' : `${rival} also wants ${mine} and`} bids the same, lots are drawn; if it bids more, it pays ${Math.max(counted, 0) + 1} for ${mine}, and you play ${others} with ${BUDGET}.`;
  return `${won}${lost} If it wants ${others}, both colours are free.`;
}

// How often each colour wins after a payment, by games of the engine against itself.
function worthTable({chances}) {
  const rows = chances.filter(({payment}) => payment === 0 || payment >= 80);
  const percent = (share) => `${Math.round(100 * share)} %`;
  return h('div', {class: 'worth'}, h('p', {class: 'small'}, 'How often a colour won when it had paid this much, in games of Plum against itself:'),
    h('table', {class: 'table'}, h('thead', {}, h('tr', {}, h('th', {scope: 'col'}, 'Paid'), COLOURS.map((colour) => h('th', {scope: 'col'}, colour)))),
      h('tbody', {}, rows.map(({payment, black, white}) => h('tr', {}, h('th', {scope: 'row'}, String(payment)), h('td', {}, percent(black)), h('td', {}, percent(white)))))));
}

// Two people at one screen type their prices unseen: without the slider and the sentence about the price.
export function bidForm(who, rival, isSecret, onBid, askWorth) {
  const price = h('input', {
    type: isSecret ? 'password' : 'number', inputmode: 'numeric', name: 'price', value: isSecret ? '' : '0', min: '-999', max: '999',
    required: true, pattern: '-?[0-9]{1,3}', autocomplete: 'off', 'aria-label': `${who}: price`,
  });
  const slider = h('input', {type: 'range', min: '0', max: String(HIGHEST), value: '0', 'aria-label': 'Price'});
  const words = h('p', {class: 'bid-words', role: 'status'});
  const hint = h('div', {});
  const form = h('form', {class: 'bid-form card'}, h('h2', {}, who === 'You' ? 'Your secret bid' : `${who}: your secret bid`),
    h('fieldset', {class: 'choices'}, h('legend', {}, 'Colour you want'), h('div', {class: 'options'}, COLOURS.map((colour, index) =>
      h('label', {class: 'option'}, h('input', {type: 'radio', name: 'colour', value: String(index), checked: index === 0}), h('span', {}, colour))))),
    h('label', {class: 'price'}, h('span', {}, `Price, out of your ${BUDGET}`), price), isSecret ? h('small', {class: 'soft'}, `More than ${HIGHEST} counts as ${HIGHEST}.`) : [slider, words],
    h('div', {class: 'commit'}, h('button', {class: 'primary'}, 'Send the bid'), h('button', {type: 'button', onclick: async () => clear(hint, worthTable(await askWorth()))}, 'What is a colour worth?')), hint);
  const show = () => {
    if (!isSecret) words.textContent = price.validity.valid ? bidSentence(Number(form.elements.colour.value), Number(price.value), rival) : 'The price is a number from −999 to 999.';
  };
  slider.addEventListener('input', () => { price.value = slider.value; });
  price.addEventListener('input', () => { slider.value = price.value; });
  form.addEventListener('input', show);
  show();
  form.addEventListener('submit', (event) => {
    event.preventDefault();
    const colour = Number(form.elements.colour.value);
    onBid({colour, price: Number(price.value)});
  });
  return form;
}

export function envelope(name, bid) {
  return h('div', {class: 'envelope'}, h('div', {class: 'envelope-name'}, name),
    h('div', {class: `envelope-bid ${bid.colour ? 'white' : 'black'}`}, h('b', {}, COLOURS[bid.colour]), h('span', {}, String(bid.price))));
}

// The result in words: the colour and the budget of each player, and how the price was found.
export function explain(bids, outcome, names) {
  const counted = bids.map((bid) => Math.min(bid.price, 140));
  const budgets = outcome.colour.map((colour) => outcome.budget[colour]);
  const part = (at) => `${names[at]} ${names[at] === 'You' ? 'play' : 'plays'} ${COLOURS[outcome.colour[at]]} with ${budgets[at]}`;
  const ends = `${part(0)}, ${part(1)}.`;
  if (bids[0].colour !== bids[1].colour) return ['The bids are for different colours: both players get theirs for nothing.', ends];
  const winner = outcome.colour[0] === bids[0].colour ? 0 : 1;
  const low = Math.min(...counted);
  const who = names[winner] === 'You' ? 'you' : names[winner];
  const why = outcome.lot ? `Both bid ${counted[0]}: lots were drawn, and ${who} won.`
    : `Both wanted ${COLOURS[bids[0].colour]}; ${who} bid more.`;
  return [`${why} The price is the lower bid${low < 0 ? ', at least nothing,' : ''} and one more: ${`${Math.max(low, 0)} + 1 = ${150 - budgets[winner]}`.replaceAll(' ', '\u00a0')}.`, ends];
}

const whyThatBid = ({colour, price}) => `Plum always bids ${price} for ${COLOURS[colour]}: in its games against itself that side won `
  + `more often even after paying this price. A player who bids more pays one more, and then the chances are even.`;

// Both bids and their result; onGo(): the reader continues.
export function showBids(place, info, onRules, {bids, outcome, names, note, onGo}) {
  const go = h('button', {class: 'primary big', type: 'button', onclick: onGo}, 'To the board');
  auctionPage(place, info, 'The bids are open', onRules, h('div', {class: 'envelopes is-opening'}, bids.map((bid, at) => envelope(names[at], bid))),
    h('div', {class: 'unveiled'}, h('div', {role: 'status'}, explain(bids, outcome, names).map((words) => h('p', {}, words))), note ? h('p', {class: 'soft small'}, note) : null, go));
  go.focus({preventScroll: true}); // the bids come first
  scrollTo(0, 0);
}

// The start position next to the words of an auction.
export function auctionPage(place, info, heading, onRules, ...content) {
  place.replaceChildren(h('div', {class: 'auction'}, picture(info, info.start, `${gameOf(info.name).title}: the start. White is above, Black below.`),
    h('div', {class: 'auction-words'}, h('header', {class: 'panel-head'}, h('h1', {class: 'panel-title'}, heading), h('button', {type: 'button', onclick: onRules}, 'Rules')), content)));
}

export const BID_RULES = () => h('p', {}, 'Each side names a colour and a price, once and in secret. If both want the same colour, the higher price gets it and pays ',
  h('b', {}, 'the lower price and one more'), ` out of its budget of ${BUDGET}. What you do not spend here you can move with.`);

// Runs the auction inside `place`. players: both, in bidding order. bids: those that are made already, null for the others.
// onBid() is called after each new one, onRules() to show the rules. Resolves to {position, bids, colour}, colour by player.
export function holdAuction(place, info, players, bids, seed, {onBid, onRules}) {
  const game = info.name;
  const isSecret = players.every(({kind}) => kind === 'human');
  const isShow = players.every(({kind}) => kind === 'engine');
  const names = players.map((player) => (player.kind === 'engine' && !isShow ? 'Plum' : playerName(player)));
  const show = (heading, ...content) => auctionPage(place, info, heading, onRules, ...content);
  return new Promise((done, fail) => {
    const submit = (at, bid) => {
      if (bids[at]) return;
      bids[at] = bid;
      onBid();
      step().catch(fail);
    };
    const step = async () => {
      const at = bids.indexOf(null);
      if (at < 0) {
        await unveil();
      } else if (players[at].kind === 'engine') {
        submit(at, await ask('bid', {game}));
      } else {
        const form = bidForm(names[at], names[1 - at], isSecret, (bid) => submit(at, bid), () => ask('bid', {game}));
        show('The auction', BID_RULES(), form);
        form.querySelector('input').focus({preventScroll: true});
      }
    };
    const unveil = async () => {
      const text = bids.map((bid) => `${bid.colour} ${bid.price}`).join(', ');
      const outcome = await ask('auction', {game, bids: text, seed});
      const plums = players.findIndex(({kind}) => kind === 'engine');
      showBids(place, info, onRules, {bids, outcome, names, note: plums < 0 ? '' : whyThatBid(bids[plums]), onGo: () => done({...outcome})});
    };
    step().catch(fail);
  });
}
