// dom: creates elements; functions that every page uses.

function fill(element, properties, children) {
  for (const [name, value] of Object.entries(properties || {})) {
    if (value === null || value === undefined || value === false) continue;
    if (name.startsWith('on')) element.addEventListener(name.slice(2), value);
    else if (name === 'class') element.setAttribute('class', value);
    else if (typeof value === 'boolean' && name in element) element[name] = value;
    else element.setAttribute(name, value === true ? '' : value);
  }
  element.append(...children.flat(Infinity).filter((child) => child !== null && child !== undefined && child !== false));
  return element;
}

// h('button', {class: 'big', onclick: f}, 'Play'): an element with its children.
export function h(tag, properties, ...children) {
  return fill(document.createElement(tag), properties, children);
}

export function svg(tag, properties, ...children) {
  return fill(document.createElementNS('http://www.w3.org/2000/svg', tag), properties, children);
}

export function clear(element, ...children) {
  element.replaceChildren(...children.flat(Infinity).filter(Boolean));
  return element;
}

// A table that scrolls inside itself; its right side is faded while there is more to scroll to. heads: texts or elements; rows: elements.
export function tableOf(heads, rows, label) {
  const table = h('table', {class: 'table'}, h('thead', {}, h('tr', {}, heads.map((head) => (head instanceof Element ? head : h('th', {scope: 'col'}, head))))), h('tbody', {}, rows));
  const show = () => el.classList.toggle('has-more', el.scrollLeft + el.clientWidth < el.scrollWidth - 2);
  const el = h('div', {class: 'scroll', tabindex: '0', role: 'region', 'aria-label': label, onscroll: show}, table);
  const sizes = new ResizeObserver(show);
  sizes.observe(el);
  sizes.observe(table);
  return el;
}

// After a change of page: scrolls to its top, and moves the focus of screen readers to its heading.
export function announce(page) {
  scrollTo(0, 0);
  const heading = page.querySelector('h1') || page;
  heading.tabIndex = -1;
  heading.focus({preventScroll: true});
}

export const prefersReducedMotion = () => matchMedia('(prefers-reduced-motion: reduce)').matches;

export const wait = (ms) => new Promise((done) => setTimeout(done, ms));

export function download(name, type, text) {
  const url = URL.createObjectURL(new Blob([text], {type}));
  h('a', {href: url, download: name}).click();
  setTimeout(() => URL.revokeObjectURL(url), 10000);
}

// Shows a text for a short time, and announces it to screen readers.
let toastTimer = 0;
export function toast(text) {
  let element = document.getElementById('toast');
  if (!element) {
    element = h('div', {id: 'toast', class: 'toast', role: 'status'});
    document.body.append(element);
  }
  element.textContent = text;
  element.classList.add('is-shown');
  clearTimeout(toastTimer);
  toastTimer = setTimeout(() => element.classList.remove('is-shown'), 3500);
}

// Opens a dialog and resolves, when it is closed, to the value of the button that closed it; '' for Escape.
export function openDialog(dialog) {
  document.body.append(dialog);
  dialog.showModal();
  return new Promise((done) => {
    dialog.addEventListener('close', () => {
      dialog.remove();
      done(dialog.returnValue);
    });
  });
}

// A question with two answers. Resolves to whether it was answered with `yes`, the label of the button.
export async function isConfirmed(question, yes) {
  const answer = await openDialog(h('dialog', {class: 'question', role: 'alertdialog', 'aria-labelledby': 'question'}, h('form', {method: 'dialog'},
    h('h2', {id: 'question'}, question), h('div', {class: 'commit'}, h('button', {value: 'yes', class: 'primary'}, yes), h('button', {value: ''}, 'Cancel')))));
  return answer === 'yes';
}

// Where the browser does not let the page copy, the user can.
export async function copy(text, what) {
  try {
    await navigator.clipboard.writeText(text);
    toast(`${what} copied`);
  } catch {
    const field = h('textarea', {readonly: true, 'aria-label': what, onfocus: () => field.select()}, text);
    await openDialog(h('dialog', {class: 'question', 'aria-labelledby': 'copy-title'}, h('form', {method: 'dialog'},
      h('h2', {id: 'copy-title'}, `Copy the ${what.toLowerCase()}`), field, h('div', {class: 'commit'}, h('button', {class: 'primary'}, 'Close')))));
  }
}
