// markdown: draws the Markdown of Plum's documents: headings, paragraphs, lists, tables, code, pictures, links, bold and italic. The text becomes
// elements one by one and never markup. It is not a whole Markdown: a test draws every document and looks for signs that were not understood.
import {h, tableOf} from './dom.js';

// The name of a heading in links, as on GitHub.
const slugOf = (text) => text.toLowerCase().replace(/[^\p{L}\p{N} _-]/gu, '').replaceAll(' ', '-');

const INLINE = /(`+)(.+?)\1(?!`)|!?\[((?:[^\][]|\[[^\]]*\])*)\]\(([^()\s]*)\)|<img ([^>]*)>|\*\*(.+?)\*\*|\*(\S(?:.*?\S)?)\*|\\([!-/:-@[-`{-~])/su;

const attributesOf = (text) => Object.fromEntries([...text.matchAll(/([a-z]+)="([^"]*)"/g)].map(([, name, value]) => [name, value]));

class Drawing {
  // link(address, content): an element; picture(attributes): an element.
  constructor({link, picture}) {
    this.link = link;
    this.picture = picture;
    this.headings = [];
    this.ids = new Set();
    this.tables = 0;
  }

  // A text with its marks, as a list of texts and elements.
  inline(text) {
    const found = text.match(INLINE);
    if (!found) return text ? [text] : [];
    const [whole, ticks, code, label, address, image, bold, italic, escaped] = found;
    let element = escaped;
    if (ticks) element = h('code', {}, code);
    else if (image) element = this.picture(attributesOf(image));
    else if (bold) element = h('b', {}, this.inline(bold));
    else if (italic) element = h('em', {}, this.inline(italic));
    else if (label !== undefined) element = whole[0] === '!' ? this.picture({src: address, alt: label}) : this.link(address, this.inline(label));
    return [text.slice(0, found.index), element, ...this.inline(text.slice(found.index + whole.length))].filter((part) => part !== '');
  }

  heading(level, text) {
    const element = h(`h${level}`, {}, this.inline(text));
    const slug = slugOf(element.textContent);
    let id = slug;
    for (let again = 1; this.ids.has(id); again++) id = `${slug}-${again}`;
    this.ids.add(id);
    element.id = `doc-${id}`;
    this.headings.push({level, element, id});
    return element;
  }

  // Lines of a table, without the one below its head.
  table([head, ...rows]) {
    const cells = (line) => line.trim().replace(/^\||\|$/g, '').split(/(?<!\\)\|/).map((cell) => this.inline(cell.trim().replaceAll('\\|', '|')));
    const label = `Table ${++this.tables}: ${this.headings.at(-1)?.element.textContent}`;
    return tableOf(cells(head).map((name) => (name.length ? h('th', {scope: 'col'}, name) : h('td', {}))), rows.map((row) => h('tr', {}, cells(row).map((cell) => h('td', {}, cell)))), label);
  }

  code(lines) { return h('pre', {tabindex: '0'}, h('code', {}, lines.join('\n'))); }

  list(items, first) {
    const blocks = items.map((lines) => this.blocks(lines));
    const drawn = blocks.map((item) => h('li', {}, item.map((block, at) => (at === 0 && block.tagName === 'P' ? [...block.childNodes] : block))));
    return first === '-' ? h('ul', {}, drawn) : h('ol', {start: first === '1' ? null : first}, drawn);
  }

  // Lines as a list of elements.
  blocks(lines) {
    const drawn = [];
    const fence = /^```/;
    const item = /^(-|\d+\.) +/;
    const isBlock = (line) => fence.test(line) || item.test(line) || /^(#+ |\|)/.test(line);
    let at = 0;
    const takeWhile = (isIn) => {
      const start = at;
      while (at < lines.length && isIn(lines[at])) at++;
      return lines.slice(start, at);
    };
    while (at < lines.length) {
      const line = lines[at];
      const [, sharps, title] = line.match(/^(#+) +(.*)/) || [];
      if (!line.trim()) {
        at++;
      } else if (sharps) {
        drawn.push(this.heading(sharps.length, title));
        at++;
      } else if (fence.test(line)) {
        at++;
        drawn.push(this.code(takeWhile((one) => !fence.test(one))));
        at++;
      } else if (line.startsWith('|')) {
        const [head, , ...rows] = takeWhile((one) => one.startsWith('|'));
        drawn.push(this.table([head, ...rows]));
      } else if (item.test(line)) {
        drawn.push(this.takeList(item, takeWhile));
      } else {
        drawn.push(h('p', {}, this.inline(takeWhile((one) => one.trim() && (one === line || !isBlock(one))).join('\n'))));
      }
    }
    return drawn;
  }

  takeList(item, takeWhile) {
    let isEmpty = false;
    const lines = takeWhile((line) => {
      const isIn = !line.trim() || item.test(line) || /^ {2,}/.test(line) || !isEmpty;
      isEmpty = !line.trim();
      return isIn;
    });
    const first = lines[0].match(item)[1].replace('.', '');
    const items = [];
    for (const line of lines) {
      const [mark] = line.match(item) || [];
      if (mark) items.push({width: mark.length, lines: [line.slice(mark.length)]});
      else items.at(-1).lines.push(line.replace(new RegExp(`^ {0,${items.at(-1).width}}`), ''));
    }
    return this.list(items.map((one) => one.lines), first);
  }
}

// Returns {content, headings}: elements; {level, element, id} of each heading, id as in links.
export function drawMarkdown(text, makers) {
  const drawing = new Drawing(makers);
  return {content: drawing.blocks(text.split('\n')), headings: drawing.headings};
}
