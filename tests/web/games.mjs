// games: adds the entries of all games to web/games.js, as the build does, and the phrases of the rules, for tests that call functions of the pages.
import {execFileSync} from 'node:child_process';
import {readFileSync, readdirSync} from 'node:fs';
import {addGames, learnPhrases} from '../../web/games.js';

const folder = new URL('../../src/games/', import.meta.url);
for (const name of readdirSync(folder).sort()) {
  const text = readFileSync(new URL(`${name}/web.js`, folder), 'utf8');
  addGames((await import(`data:text/javascript,${encodeURIComponent(text)}`)).default);
}
learnPhrases(JSON.parse(execFileSync(process.env.PLUM, ['games', '--json'])));
