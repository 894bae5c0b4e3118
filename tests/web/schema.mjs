// schema: checks JSON against the schemas in web/api/v1/openapi.json.
import assert from 'node:assert/strict';
import {readFileSync} from 'node:fs';

export const api = JSON.parse(readFileSync(new URL('../../web/api/v1/openapi.json', import.meta.url)));

export function check(schema, value, where) {
  if (schema.$ref) return check(schema.$ref.slice(2).split('/').reduce((part, name) => part[name], api), value, where);
  if (value === null) return assert.ok(schema.nullable, `${where} is null`);
  const type = Array.isArray(value) ? 'array' : Number.isInteger(value) && schema.type !== 'number' ? 'integer' : typeof value;
  assert.equal(type, schema.type, where);
  if (schema.enum) assert.ok(schema.enum.includes(value), `${where}: ${value}`);
  if (type === 'array') value.forEach((item, at) => check(schema.items, item, `${where}[${at}]`));
  if (type !== 'object') return undefined;
  for (const name of schema.required || []) assert.ok(name in value, `${where}.${name} is missing`);
  for (const [name, inner] of Object.entries(value)) {
    if (schema.properties?.[name]) check(schema.properties[name], inner, `${where}.${name}`);
    else assert.notEqual(schema.additionalProperties, false, `${where}.${name} is not described`);
  }
  return undefined;
}
