// docs: Plum's documents, drawn from the Markdown that the program has inside.
import {h, clear} from './dom.js';
import {isOffline, offlineText} from './engine.js';
import {drawMarkdown} from './markdown.js';
import {Missing, fetchAnswer} from './server.js';

const FIRST = 'index';

const texts = new Map();

async function textOf(name) {
  const isName = /^[a-z-]+$/.test(name);
  const inline = isName && offlineText(`docs-${name}`);
  if (inline) return inline;
  if (isOffline() || !isName) throw new Missing(`There is no document '${name}'.`);
  if (!texts.has(name)) texts.set(name, await (await fetchAnswer(`docs/${name}.md`)).text());
  return texts.get(name);
}

// Files of the sources are not served: their names are shown.
function sourceText(path, content) {
  const name = path.replace(/^(\.\.\/)+/, '');
  const isNamed = content.some((part) => (part.textContent ?? part).includes(name.split('/').at(-1)));
  return h('span', {}, content, isNamed ? null : h('span', {class: 'soft'}, ` (${name})`));
}

function linkFrom(document, address, content) {
  const [, other, heading] = address.match(/^(?:([a-z-]+)\.md)?(?:#(.+))?$/) || [];
  if (other || heading) return h('a', {href: `#/docs/${other || document}${heading ? `/${encodeURIComponent(heading)}` : ''}`}, content);
  if (/^https?:/.test(address)) return h('a', {href: address, rel: 'noreferrer'}, content);
  const served = address.match(/^\.\.\/web\/(api\/.*)/);
  return served && !isOffline() ? h('a', {href: served[1]}, content) : sourceText(address, content);
}

const pictureFrom = ({src, alt, width}) => (isOffline() ? h('p', {class: 'soft'}, `Picture: ${alt}.`) : h('img', {src: `docs/${src}`, alt, width, loading: 'lazy'}));

// The headings of the second level; on a small screen they are folded.
function contentsOf(name, headings) {
  const list = h('ul', {}, headings.filter(({level}) => level === 2).map(({element, id}) => h('li', {}, h('a', {href: `#/docs/${name}/${encodeURIComponent(id)}`}, element.textContent))));
  return h('nav', {class: 'docs-contents', 'aria-label': 'Contents'}, h('p', {}, h('a', {href: '#/docs'}, 'All documents')),
    list.childElementCount ? h('details', {open: matchMedia('(min-width: 60.01rem)').matches}, h('summary', {}, 'On this page'), list) : null);
}

export async function docsView(place, [name = FIRST, wanted]) {
  const {content, headings} = drawMarkdown(await textOf(name), {link: (...link) => linkFrom(name, ...link), picture: pictureFrom});
  if (!place.isConnected) return null;
  const article = h('article', {class: 'words document'}, content);
  clear(place, name === FIRST ? article : h('div', {class: 'docs'}, contentsOf(name, headings), article));
  document.title = `${headings[0]?.element.textContent ?? name} · Plum`;
  const heading = headings.find(({id}) => id === wanted)?.element;
  if (heading) {
    heading.tabIndex = -1;
    heading.focus({preventScroll: true});
    heading.scrollIntoView();
  }
  return null;
}
