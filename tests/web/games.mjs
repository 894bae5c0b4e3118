// games: gives the modules of web/, as Node imports them from the tree, the entries of all games.
import {readFileSync, readdirSync} from 'node:fs';
import {fileURLToPath} from 'node:url';
import {addGames} from '../../web/games.js';

const folder = fileURLToPath(new URL('../../src/games/', import.meta.url));

for (const name of readdirSync(folder).sort()) {
  const text = readFileSync(`${folder}${name}/web.js`, 'utf8');
  addGames((await import(`data:text/javascript,${encodeURIComponent(text)}`)).default);
}
