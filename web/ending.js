// ending: how a game ended, in words.
import {pieceOf, readCells} from './board.js';
import {gameOf, phrasesOf} from './games.js';
import {other, title} from './match.js';

export const OUTCOME_OF = {'1-0': 'black', '0-1': 'white', '1/2-1/2': 'draw', '0-0': 'both-lost'};

// Faults that cost a side a turn, not the game.
export const FAULT_PHRASES = {
  late: 'was too late', invalid: 'made an illegal move', crashed: 'had crashed', malformed: 'sent something unreadable', hostile: 'did something forbidden',
};

// The same in a word, for a list of moves.
export const FAULT_LABELS = {late: 'late', invalid: 'illegal', crashed: 'crashed', malformed: 'unreadable', hostile: 'hostile'};

const hasNoWinner = (outcome) => outcome === 'draw' || outcome === 'both-lost';

// The phrase for an end that the board does not show, or undefined; '{loser}' in it is the side that lost.
function lossWords(game, {outcome, reason, how}) {
  const {losses} = phrasesOf(game);
  return (hasNoWinner(outcome) && losses[`both-${reason}`]) || losses[how] || losses[reason];
}

// What each side has in the end: [31, 29]. Where the result is a difference the pieces are counted; squares that neither side can take
// count for the winner where the rules give them to it. null: there is no score, or the record has none that fits the board.
function tally(game, {outcome, black, white}, position) {
  const {score} = gameOf(game);
  if (score === 'none' || outcome === 'both-lost' || !Number.isInteger(black)) return null;
  if (score === 'both') return [black, white];
  const sides = Object.values(readCells(position)).map((letter) => pieceOf(game, letter)?.side);
  const counts = ['black', 'white'].map((side) => sides.filter((one) => one === side).length);
  const given = Math.abs(black) - Math.abs(counts[0] - counts[1]);
  if (given < 0 || given > sides.length - counts[0] - counts[1]) return null;
  if (!hasNoWinner(outcome)) counts[outcome === 'black' ? 0 : 1] += given;
  return counts;
}

// "31 : 29", the reader's own first, else Black's. '' where a game has no score, or it was lost by a fault.
export function scoreWords(game, ended, position, person = null) {
  const counts = lossWords(game, ended) ? null : tally(game, ended, position);
  return counts ? (person === 'white' ? counts.reverse() : counts).join(' : ') : '';
}

// Why a game ended. loser: what the side that lost is called; person: the side of the reader, or null.
function endingWords(game, ended, position, loser, person = null) {
  const own = gameOf(game).endings[ended.reason];
  const words = lossWords(game, ended) || own?.({...ended, letters: Object.values(readCells(position)), person, title}) || phrasesOf(game).endings[ended.reason] || ended.reason;
  return words.replace('{loser}', loser);
}

// ended: {outcome, black, white, reason, how, loser}; loser: a name, where no colours were given. position: the last one. person: the side of the reader, or null.
// "All men of Black are home.", "You gave up."
export function reasonText(game, ended, position, person = null) {
  const loser = other(ended.outcome);
  const words = endingWords(game, ended, position, loser === person ? 'You' : ended.loser ?? title(loser), person);
  return `${words[0].toUpperCase()}${words.slice(1)}.`;
}

// "5 : 3, all men of Black are home."
export function endText(game, ended, position, person = null) {
  const score = scoreWords(game, ended, position, person);
  const reason = reasonText(game, ended, position, person);
  return score ? `${score}, ${reason[0].toLowerCase()}${reason.slice(1)}` : reason;
}

// Around the move where it happened first: "White was too late in 3 turns, first at move 12", "Black crashed at move 19
// and was missing in 14 turns".
function summaryWords({side, fault, count, isSkipped}) {
  if (fault === 'crashed') return [`${title(side)} crashed at`, count > 1 && isSkipped ? ` and was missing in ${count} turns` : ''];
  return [`${title(side)} ${FAULT_PHRASES[fault]} ${count > 1 ? `in ${count} turns, first at` : 'at'}`, ''];
}

// A move of the judge in place of the side: not a turn that is lost, and not a late move that counts.
const isJudged = (game, {move, fault}) => fault && move !== 'skip' && !(fault === 'late' && gameOf(game).countsLateMoves);

// "; the judge played 13 of its 30 moves", or ''.
function replacedWords(game, plies, side) {
  const own = plies.filter((ply) => ply.side === side && ply.move !== 'pass');
  const judged = own.filter((ply) => isJudged(game, ply)).length;
  return judged ? `; the judge played ${judged} of its ${own.length} moves` : '';
}

// The faults of a game by side and kind: [{words: [before, after], first: 12}], for words around a link to the first. The last of a side
// says how many moves the judge made for it.
export function faultSummary(game, plies) {
  const groups = new Map();
  plies.forEach(({side, move, fault}, at) => {
    if (!fault) return;
    const key = `${side} ${fault}`;
    const group = groups.get(key) || {side, fault, count: 0, first: at + 1, isSkipped: move === 'skip'};
    group.count++;
    groups.set(key, group);
  });
  const all = [...groups.values()];
  return all.map((group, at) => {
    const [before, after] = summaryWords(group);
    const isLast = !all.slice(at + 1).some(({side}) => side === group.side);
    return {words: [before, after + (isLast ? replacedWords(game, plies, group.side) : '')], first: group.first};
  });
}

// The turn that the game ended in: "Then White crashed after 1.00 s."
export function closingText(game, {side, fault, time_ns: ns}) {
  const what = phrasesOf(game).losses[fault]?.replace('{loser}', title(side)) || `the game ended in ${title(side)}'s turn`;
  return `Then ${what}${ns === undefined ? '' : ` after ${(ns / 1e9).toFixed(2)} s`}.`;
}

// The reason without the score: "all men of Black are home", "White crashed".
export const causeText = (game, ended, position = '') => endingWords(game, ended, position, title(other(ended.outcome)));

const NO_WINNER = {draw: 'A draw', 'both-lost': 'Both lose'};

export const outcomeText = (outcome) => NO_WINNER[outcome] || `${title(outcome)} wins`;
