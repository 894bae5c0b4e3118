// api: the API as a page, made from openapi.json: each call with its parameters, its answer and a request to try, and the schemas.
import {h, clear, copy, tableOf} from './dom.js';
import {isOffline} from './engine.js';
import {keepToken, keyHeader, tokenOf} from './agentlist.js';
import {fetchAnswer, onceAnswered} from './server.js';

const SHOWN = 20000; // of an answer, in letters
let session = 0; // the game with an agent that was last begun on this page: the requests below are about it

const fetchDescription = onceAnswered(async () => (await fetchAnswer('api/v1/openapi.json')).json());

const nameIn = (ref) => ref.split('/').at(-1);

class Description {
  constructor(api) {
    this.api = api;
    this.calls = Object.entries(api.paths).flatMap(([path, methods]) => Object.entries(methods).map(([method, call]) => ({path, method: method.toUpperCase(), ...call})));
    this.schemas = Object.entries(api.components.schemas);
    this.sessionForms = []; // functions that put the number of the session into a form
  }

  // What a {$ref} stands for.
  find(part) { return part.$ref ? part.$ref.slice(2).split('/').reduce((value, name) => value[name], this.api) : part; }

  // A value with the form of the schema.
  exampleOf(schema, depth = 0) {
    const {type, example, properties = {}, items, minimum = 0, enum: values} = this.find(schema);
    if (example !== undefined) return example;
    if (depth > 6) return '…';
    if (type === 'array') return [this.exampleOf(items, depth + 1)];
    if (type === 'object') return Object.fromEntries(Object.entries(properties).map(([name, inner]) => [name, this.exampleOf(inner, depth + 1)]));
    return {integer: minimum, number: .5, boolean: true}[type] ?? values?.[0] ?? '…';
  }
}

const schemaLink = (name) => h('a', {href: `#/api/${name}`}, name);

function typeOf(schema) {
  if (schema.$ref) return [schemaLink(nameIn(schema.$ref))];
  const words = schema.type === 'array' ? ['list of ', ...typeOf(schema.items)] : schema.enum ? schema.enum.flatMap((value, at) => [at ? ', ' : '', h('code', {}, String(value))]) : [schema.type || 'any'];
  if (schema.minimum !== undefined) words.push(schema.maximum === undefined ? `, at least ${schema.minimum}` : `, ${schema.minimum} to ${schema.maximum}`);
  return [...words, schema.nullable ? ' or null' : ''].filter(Boolean);
}

// A row for each field, also for those of objects inside.
function fieldRows({properties = {}, required = []}, before = '') {
  return Object.entries(properties).flatMap(([name, schema]) => {
    const inner = schema.type === 'array' ? schema.items : schema;
    const path = `${before}${name}${schema.type === 'array' ? '[]' : ''}`;
    return [h('tr', {}, h('th', {scope: 'row'}, h('code', {}, path)), h('td', {}, typeOf(schema)), h('td', {}, [schema.description, required.includes(name) ? '' : 'optional'].filter(Boolean).join('; '))),
      ...(inner.properties ? fieldRows(inner, `${path}.`) : [])];
  });
}

const textBox = (label, text) => h('pre', {tabindex: '0', role: 'region', 'aria-label': label}, h('code', {}, text));

// The request of a call with the examples of its parameters.
function exampleRequest({path, parameters}) {
  const query = new URLSearchParams(parameters.filter((one) => one.in === 'query' && one.example !== undefined).map(({name, example}) => [name, String(example)]));
  const address = parameters.filter((one) => one.in === 'path').reduce((text, {name, example}) => text.replace(`{${name}}`, example ?? ''), path);
  return query.size === 0 || String(query) === '' ? address : `${address}?${query}`;
}

// A stream has no end: its first part is shown.
async function textIn(answer) {
  if (/zip/.test(answer.headers.get('content-type'))) return `An archive of ${(await answer.blob()).size} bytes.`;
  if (!/event-stream/.test(answer.headers.get('content-type'))) return answer.text();
  const reader = answer.body.getReader();
  const {value} = await reader.read();
  reader.cancel();
  return `${new TextDecoder().decode(value)}…`;
}

// Short arrays are on one line. A line break is never inside a string, so the contents of strings stay as they are.
function prettyText(text, type) {
  if (!/json/.test(type)) return text;
  return JSON.stringify(JSON.parse(text), null, 1).replace(/\[\n *([^[\]{}]{0,80})\n *\]/g, (whole, inner) => `[${inner.replace(/\n */g, ' ')}]`);
}

// As one word of a shell.
const quoted = (text) => `'${text.replaceAll("'", "'\\''")}'`;

// A field with the address, one with the token if the call needs it, a button that sends the request, and the answer.
function tryOut(description, call, body) {
  const name = `${call.method} ${call.path}`;
  const field = (label, value) => h('input', {type: 'text', class: 'position-text', spellcheck: 'false', autocomplete: 'off', value, 'aria-label': `${label} of ${name}`});
  const address = field('Address', exampleRequest(call));
  const needsToken = call.parameters.some((one) => one.in === 'header');
  const token = needsToken ? field('Plum-Token', '') : null;
  const sent = body === undefined ? null : h('textarea', {spellcheck: 'false', 'aria-label': `Body of ${name}`}, body);
  const place = h('div', {});
  const pathOf = () => address.value.replace(/^\/?/, '');
  const show = (status, ...content) => clear(place, h('p', {class: 'small', role: 'status'}, status), ...content);
  let filled = ''; // the token that was not typed
  const fillToken = () => {
    if (!needsToken) return;
    const known = tokenOf(/\/sessions\/(\d+)/.exec(address.value)?.[1]);
    if (known || token.value === filled) token.value = filled = known;
  };
  const fillSession = () => {
    if (!session) return;
    address.value = address.value.replace(/(\/sessions\/)\d+/, `$1${session}`);
    fillToken();
  };
  const send = async (event) => {
    event.preventDefault();
    show('Waiting for the answer …');
    try {
      if (!/^api\//.test(pathOf())) throw new Error('The address begins with /api/.');
      const headers = {...(call.security && keyHeader()), ...(needsToken && {'Plum-Token': token.value})};
      const answer = await fetch(pathOf(), {method: call.method, headers, ...(sent && {body: sent.value})}).catch(() => { throw new Error('The arena does not answer. Is plum serve still running?'); });
      const type = (answer.headers.get('content-type') || '').split(';')[0];
      const text = await textIn(answer);
      const shown = prettyText(text, type);
      show(`${answer.status} ${answer.statusText}, ${type}`, /svg/.test(type) && call.method === 'GET' ? h('img', {src: pathOf(), alt: 'The picture of the answer', width: '240'}) : null,
        textBox('Answer', shown.length > SHOWN ? `${shown.slice(0, SHOWN)} …` : shown));
      if (answer.ok && name === 'POST /api/v1/sessions') {
        const begun = JSON.parse(text);
        keepToken(begun, new URLSearchParams(pathOf().split('?')[1]).get('second'));
        session = begun.id;
        description.sessionForms.forEach((fill) => fill());
      }
    } catch (error) {
      show(error.message);
    }
  };
  const command = () => {
    const url = new URL(pathOf(), location.href.split('#')[0]);
    const options = [call.security && `-H 'Authorization: Bearer KEY'`, call.method === 'POST' && !sent && '-X POST', call.security && call.method === 'POST' && `-H 'Origin: ${url.origin}'`, needsToken && `-H ${quoted(`Plum-Token: ${token.value || 'TOKEN'}`)}`,
      sent && `--data-binary @games.txt -H 'Content-Type: text/plain'`];
    return ['curl', ...options.filter(Boolean), quoted(url.href)].join(' ');
  };
  address.addEventListener('input', fillToken);
  description.sessionForms.push(fillSession);
  fillSession();
  return h('form', {class: 'try-call', onsubmit: send}, address, needsToken ? h('label', {}, 'Plum-Token ', token) : null, sent, h('div', {class: 'commit'}, h('button', {class: 'primary'}, 'Try'),
    h('button', {type: 'button', onclick: () => copy(command(), 'Command')}, 'Copy as curl')), place);
}

function callSection(description, call) {
  const parameters = (call.parameters || []).map((one) => description.find(one));
  const [[status, good]] = Object.entries(call.responses);
  const [[type, {schema}]] = Object.entries(description.find(good).content || {'': {}});
  const [body] = Object.values(call.requestBody?.content || {});
  const refused = Object.keys(call.responses).filter((code) => code !== status).sort();
  return h('section', {}, h('h2', {class: 'call'}, h('code', {}, `${call.method} ${call.path}`)), h('p', {}, `${call.summary}. `, call.description || '', call.security ? ' It needs the key: open the address that plum serve printed.' : ''),
    parameters.length ? tableOf(['Parameter', 'Value', 'Meaning'], parameters.map((one) => h('tr', {}, h('th', {scope: 'row'}, h('code', {}, one.name)), h('td', {}, typeOf(one.schema)),
      h('td', {}, [one.description, one.required ? 'required' : ''].filter(Boolean).join('; ')))), `Parameters of ${call.method} ${call.path}`) : null,
    h('p', {}, `Answer ${status}: `, schema ? [...typeOf(schema), schema.$ref ? '' : ` (${type})`] : 'no content', `. ${description.find(good).description}. `, refused.length ? `Refused with ${refused.join(', ')}: ` : '', refused.length ? schemaLink('Error') : '', refused.length ? '.' : ''),
    schema?.$ref ? h('details', {}, h('summary', {}, 'The form of the answer'), textBox(`Form of the answer of ${call.method} ${call.path}`, prettyText(JSON.stringify(description.exampleOf(schema)), 'json'))) : null,
    tryOut(description, {...call, parameters}, body?.example));
}

function schemaSection(name, schema) {
  const rows = fieldRows(schema.type === 'array' ? schema.items : schema);
  return h('details', {class: 'schema'}, h('summary', {}, h('code', {}, name)), schema.description ? h('p', {}, `${schema.description}.`) : null,
    rows.length ? tableOf(['Field', 'Value', 'Meaning'], rows, `Fields of ${name}`) : h('p', {}, typeOf(schema)));
}

export async function apiView(place, [wanted]) {
  if (isOffline()) throw new Error('This file has no server: the API is where plum serve runs.');
  const description = new Description(await fetchDescription());
  const {info} = description.api;
  const calls = new Map(description.calls.map((call) => [`${call.method} ${call.path}`, callSection(description, call)]));
  const schemas = new Map(description.schemas.map(([name, schema]) => [name, schemaSection(name, schema)]));
  if (!place.isConnected) return null;
  clear(place, h('div', {class: 'docs'}, h('nav', {class: 'docs-contents', 'aria-label': 'Contents'}, h('details', {open: matchMedia('(min-width: 60.01rem)').matches}, h('summary', {}, 'On this page'),
    h('ul', {}, [...calls.keys()].map((name) => h('li', {}, h('a', {href: `#/api/${encodeURIComponent(name)}`}, name.replace('/api/v1', '')))), h('li', {}, h('a', {href: '#/api/schemas'}, 'Schemas'))))),
  h('article', {class: 'words document'}, h('h1', {}, 'API'), h('p', {class: 'lead'}, 'The data of the arena as JSON, for your own programs.'), h('p', {}, info.description),
    h('p', {}, 'This page is made from ', h('a', {href: 'api/v1/openapi.json'}, 'openapi.json'), ', which tools for OpenAPI can read.'),
    [...calls.values()], h('section', {}, h('h2', {}, 'Schemas'), [...schemas.values()]))));
  const target = calls.get(wanted)?.firstChild || schemas.get(wanted)?.firstChild || (wanted === 'schemas' && schemas.values().next().value.parentElement.firstChild);
  if (!target) return null;
  if (schemas.has(wanted)) schemas.get(wanted).open = true;
  else target.tabIndex = -1;
  target.focus({preventScroll: true});
  target.scrollIntoView();
  return null;
}
