// web: what the pages show and say about meichu; web/games.js explains the fields.
const ruleText = ({h, list, auctionPicture}) => [
  h('p', {class: 'lead'}, 'Soldiers run in straight lines, walls cost money to break, and the colour itself is for sale.'),
  h('h2', {}, 'The auction'), list('Before the game each side names a colour and a price, once and in secret. Each has a budget of 150.',
    'Different colours: both get theirs for nothing.', 'The same colour: the higher price gets it and pays the lower price and one more. Equal prices: lots are drawn.',
    'A price above 140 counts as 140. A price may be negative: it is compared as it is, but pays as nothing, so the side that beats it pays 1.',
    'What is left of the two budgets is next to the names, and at the end of a position’s text: Black’s first, then White’s.'),
  auctionPicture(),
  h('h2', {}, 'Moving'), list('Only soldiers move: any distance along a row or column over empty squares.',
    'They stop on an empty square, on an enemy soldier or the enemy flag, which they take, or on any barrier, which is removed.'),
  h('h2', {}, 'Money'), list('A move costs 1 and its distance.', 'Breaking an enemy barrier costs 3 more. Breaking one of your own gives 3 back.',
    'Captures cost nothing extra. The budget must cover 1 and the distance before anything comes back.'),
  h('h2', {}, 'The end'), h('p', {}, 'You win when you take the flag, or when the other side has no soldier left. If neither can move, more soldiers win, then more barriers. A side that cannot move passes while the other continues.'),
];

const letters = {
  F: ['flag', 'black'], f: ['flag', 'white'], S: ['soldier', 'black'], s: ['soldier', 'white'], B: ['barrier', 'black'], b: ['barrier', 'white'],
};

const shapes = {
  flag: (svg) => [
    svg('path', {d: 'M-15-23h5V24h-5z', class: 'body'}), svg('path', {d: 'M-20 21h15v4h-15z', class: 'body'}),
    svg('path', {d: 'M-10-21C-2-26 6-16 20-21V3C6 8-2-2-10 3z', class: 'cloth'})],
  soldier: (svg) => [
    svg('path', {d: 'M-15 23C-15 7-8 1 0 1S15 7 15 23z', class: 'body'}), svg('circle', {cy: -6, r: 9, class: 'body'}),
    svg('path', {d: 'M-13-8C-12-27 12-27 13-8z', class: 'body'}), svg('path', {d: 'M-15-8h30', class: 'brim'})],
  barrier: (svg) => [[-25, -24, 24], [1, -24, 24], [-25, -7, 10], [-13, -7, 25], [14, -7, 11], [-25, 10, 24], [1, 10, 24]]
    .map(([x, y, width]) => svg('rect', {x, y, width, height: 14, rx: 2, class: 'body'})),
};

export default {
  meichu: {
    letters, shapes, fixed: ['flag', 'barrier'],
    endings: {'no-soldiers': ({outcome, person, title}) => {
      const loser = outcome === 'black' ? 'white' : 'black';
      return loser === person ? 'you have no soldier left' : `${title(loser)} has no soldier left`;
    }},
    title: 'MeiChu', short: 'MeiChu', hasPuzzles: true, hasDemo: true, theme: 'slate', unit: 'soldiers', scale: 250, score: 'none', protocols: ['template'],
    kit: {protocol: 'template', file: '0816001', team: '0816001', change: ['bid', 'make_decision']},
    line: 'Bid for your colour, spend wisely, take the flag.',
    goal: () => 'Take the enemy flag with a soldier. Soldiers run straight as far as they like; every move is paid from the budget.',
    choose: 'choose one of your soldiers', numbers: ['Budget of Black', 'Budget of White'],
    lesson: {
      position: '........./....f..../........./........./..b.S.s../........./....B..../........./......... b 20 20', label: 'A soldier runs along its row and column, up to what it can take or break',
      path: ['44'], targets: ['14', '24', '34', '42', '43', '45', '46', '54', '64'], own: ['64'],
    },
    facts: 'every pair of soldiers by their squares, attacks and protection, the way to the flag, and both budgets',
    hasBudgets: true, isFlippedForWhite: true, token: 'soldier', countsLateMoves: true,
    holdings: ({count, counted}) => [counted(count('soldier'), 'soldier', 'soldiers'), counted(count('barrier'), 'barrier', 'barriers')],
    faults: ['a penalty is noted', 'the game is lost', 'the game is lost'],
    noWay: (from, to) => `From ${from} there is no way to ${to}. A soldier runs straight, until something is in its way.`,
    rules: ruleText,
    tries: [['....f..../...bbb.../........./..b.s..../....S..../........./..B...S../...BBB.../....F.... b 12 12', 'a small battle on a tight budget. The numbers show what each move does to it.'],
    ['..sbfbs../.b.sbs.b./.b..s..b./..bbbbb../........./..BBBBB../.B..S..B./.B.SBS.B./..SBFBS.. b 150 150', 'the first moves, for both sides.']],
    sample: '...bfb.../.b..b..b./.b..ss.b./..bsbb.../...s..s../..BBSSB../.B.SS..B./.B...S.B./...BFB... b 129 126',
    show: {
      start: '..sbfbs../.b.sbs.b./.b..s..b./..bbbbb../........./..BBBBB../.B..S..B./.B.SBS.B./..SBFBS..',
      plies: [
       '82-52 ..sbfbs../.b.sbs.b./.b..s..b./..bbbbb../........./..SBBBB../.B..S..B./.B.SBS.B./...BFBS..',
       '06-36 ..sbfb.../.b.sbs.b./.b..s..b./..bbbbs../........./..SBBBB../.B..S..B./.B.SBS.B./...BFBS..',
       '52-53 ..sbfb.../.b.sbs.b./.b..s..b./..bbbbs../........./...SBBB../.B..S..B./.B.SBS.B./...BFBS..',
       '36-35 ..sbfb.../.b.sbs.b./.b..s..b./..bbbs.../........./...SBBB../.B..S..B./.B.SBS.B./...BFBS..',
       '86-56 ..sbfb.../.b.sbs.b./.b..s..b./..bbbs.../........./...SBBS../.B..S..B./.B.SBS.B./...BFB...',
       '02-32 ...bfb.../.b.sbs.b./.b..s..b./..sbbs.../........./...SBBS../.B..S..B./.B.SBS.B./...BFB...',
       '64-65 ...bfb.../.b.sbs.b./.b..s..b./..sbbs.../........./...SBBS../.B...S.B./.B.SBS.B./...BFB...',
       '24-25 ...bfb.../.b.sbs.b./.b...s.b./..sbbs.../........./...SBBS../.B...S.B./.B.SBS.B./...BFB...',
       '65-64 ...bfb.../.b.sbs.b./.b...s.b./..sbbs.../........./...SBBS../.B..S..B./.B.SBS.B./...BFB...',
       '35-55 ...bfb.../.b.sbs.b./.b...s.b./..sbb..../........./...SBsS../.B..S..B./.B.SBS.B./...BFB...',
       '56-55 ...bfb.../.b.sbs.b./.b...s.b./..sbb..../........./...SBS.../.B..S..B./.B.SBS.B./...BFB...',
       '25-55 ...bfb.../.b.sbs.b./.b.....b./..sbb..../........./...SBs.../.B..S..B./.B.SBS.B./...BFB...',
       '64-74 ...bfb.../.b.sbs.b./.b.....b./..sbb..../........./...SBs.../.B.....B./.B.SSS.B./...BFB...',
       '32-62 ...bfb.../.b.sbs.b./.b.....b./...bb..../........./...SBs.../.Bs....B./.B.SSS.B./...BFB...',
       '53-54 ...bfb.../.b.sbs.b./.b.....b./...bb..../........./....Ss.../.Bs....B./.B.SSS.B./...BFB...',
       '55-75 ...bfb.../.b.sbs.b./.b.....b./...bb..../........./....S..../.Bs....B./.B.SSs.B./...BFB...',
       '74-75 ...bfb.../.b.sbs.b./.b.....b./...bb..../........./....S..../.Bs....B./.B.S.S.B./...BFB...',
       '15-65 ...bfb.../.b.sb..b./.b.....b./...bb..../........./....S..../.Bs..s.B./.B.S.S.B./...BFB...',
       '54-34 ...bfb.../.b.sb..b./.b.....b./...bS..../........./........./.Bs..s.B./.B.S.S.B./...BFB...',
       '62-63 ...bfb.../.b.sb..b./.b.....b./...bS..../........./........./.B.s.s.B./.B.S.S.B./...BFB...',
       '34-74 ...bfb.../.b.sb..b./.b.....b./...b...../........./........./.B.s.s.B./.B.SSS.B./...BFB...',
       '63-73 ...bfb.../.b.sb..b./.b.....b./...b...../........./........./.B...s.B./.B.sSS.B./...BFB...',
       '74-73 ...bfb.../.b.sb..b./.b.....b./...b...../........./........./.B...s.B./.B.S.S.B./...BFB...',
       '65-75 ...bfb.../.b.sb..b./.b.....b./...b...../........./........./.B.....B./.B.S.s.B./...BFB...',
       '73-75 ...bfb.../.b.sb..b./.b.....b./...b...../........./........./.B.....B./.B...S.B./...BFB...',
       '13-14 ...bfb.../.b..s..b./.b.....b./...b...../........./........./.B.....B./.B...S.B./...BFB...',
       '75-15 ...bfb.../.b..sS.b./.b.....b./...b...../........./........./.B.....B./.B.....B./...BFB...',
       '14-84 ...bfb.../.b...S.b./.b.....b./...b...../........./........./.B.....B./.B.....B./...BsB...'
      ]
    },
  },
};
