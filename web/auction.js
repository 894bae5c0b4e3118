// auction: secret bids for a colour, and their result.
import {h} from './dom.js';
import {ask} from './engine.js';
import {playerName} from './match.js';

export const COLOURS = ['Black', 'White'];

function bidForm(who, isSecret, onBid) {
  const price = h('input', {
    type: isSecret ? 'password' : 'number', inputmode: 'numeric', name: 'price', value: isSecret ? '' : '0', min: '-999', max: '999',
    required: true, pattern: '-?[0-9]{1,3}', autocomplete: 'off', 'aria-label': `${who}: price`,
  });
  const form = h('form', {class: 'bid-form card'}, h('h2', {}, `${who}: your sealed bid`),
    h('fieldset', {class: 'choices'}, h('legend', {}, 'Colour you want'), h('div', {class: 'options'}, COLOURS.map((colour, index) =>
      h('label', {class: 'option'}, h('input', {type: 'radio', name: 'colour', value: String(index), checked: index === 0}), h('span', {}, colour))))),
    h('label', {class: 'price'}, h('span', {}, 'Price, out of your 150'), price, h('small', {class: 'soft'}, 'More than 140 counts as 140.')),
    h('button', {class: 'primary'}, 'Seal the bid'));
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

// Runs the auction inside `place`. players: both, in bidding order. bids: those that are made already, null for the others.
// onBid() is called after each new one. Resolves to {position, bids, colour}, colour by player.
export function holdAuction(place, game, players, bids, seed, onBid) {
  const isSecret = players.every(({kind}) => kind === 'human');
  const isShow = players.every(({kind}) => kind === 'engine');
  const names = players.map((player) => (player.kind === 'engine' && !isShow ? 'Plum' : playerName(player)));
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
        const form = bidForm(names[at], isSecret, (bid) => submit(at, bid));
        place.replaceChildren(h('div', {class: 'auction'}, h('h1', {}, 'The auction'),
          h('p', {}, 'Each side names a colour and a price, once and in secret. If both want the same colour, the higher price gets it and pays ',
            h('b', {}, 'the lower price and one more'), ' out of its budget of 150. What you do not spend here you can move with.'), form));
        form.querySelector('input').focus();
      }
    };
    const unveil = async () => {
      const text = bids.map((bid) => `${bid.colour} ${bid.price}`).join(', ');
      const outcome = await ask('auction', {game, bids: text, seed});
      const plums = players.findIndex(({kind}) => kind === 'engine');
      const go = h('button', {class: 'primary big', type: 'button', onclick: () => done({...outcome})}, 'To the board');
      place.replaceChildren(h('div', {class: 'auction'}, h('h1', {}, 'The bids are open'),
        h('div', {class: 'envelopes'}, bids.map((bid, at) => envelope(names[at], bid))),
        h('div', {role: 'status'}, explain(bids, outcome, names).map((words) => h('p', {}, words))),
        plums < 0 ? null : h('p', {class: 'soft small'}, whyThatBid(bids[plums])), go));
      go.focus();
    };
    step().catch(fail);
  });
}
