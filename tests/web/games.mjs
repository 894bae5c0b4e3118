// games: registers the entries of all games in web/games.js, as the build does for the pages.
import {readFileSync, readdirSync} from 'node:fs';
import {fileURLToPath} from 'node:url';
import {addGames} from '../../web/games.js';

const folder = fileURLToPath(new URL('../../src/games/', import.meta.url));

for (const name of readdirSync(folder).sort()) {
  const text = readFileSync(`${folder}${name}/web.js`, 'utf8');
  addGames((await import(`data:text/javascript,${encodeURIComponent(text)}`)).default);
}
