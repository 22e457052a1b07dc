import { readdirSync, readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { packageRoot } from '../../src/base/packages.js';
import { defaultValues } from '../../src/page/front/src/default-values.js';
import { isAbsent } from '../support/is-absent.js';

const front = join(packageRoot(), 'src/page/front');
const schemas = join(front, 'built/schemas');

it.skipIf(isAbsent(schemas, 'the defaults of all settings of the page'))(
  'are what Ajv fills in, for every schema of settings of the page, and every schema is valid',
  () => {
    const { Ajv } = createRequire(join(front, 'package.json'))('ajv');
    const names = readdirSync(schemas, { recursive: true, encoding: 'utf8' }).filter((name) => name.endsWith('.json'));
    const checked = names.map((name) => {
      const schema = JSON.parse(readFileSync(join(schemas, name), 'utf8'));
      if (schema.type !== 'object') return undefined;
      const filled = {};
      const fills = new Ajv({ useDefaults: true, strict: false }).compile(schema);
      expect([name, fills(filled), fills.errors]).toEqual([name, true, null]);
      expect([name, defaultValues(schema)]).toEqual([name, filled]);
      return name;
    });
    expect(checked.filter(Boolean).length).toBeGreaterThan(30);
  },
);

it('fills in defaults within defaults, by references and in lists, but not those of alternatives', () => {
  const place = { properties: { x: { default: 1 }, y: {} } };
  const schema = {
    definitions: { place },
    properties: {
      at: { $ref: '#/definitions/place', default: { y: 2 } },
      all: { items: { $ref: '#/definitions/place' }, default: [{}, { x: 0 }] },
      by: { additionalProperties: place, default: { a: {} } },
      none: { anyOf: [{ default: 3 }] } as object,
    },
  };
  expect(defaultValues(schema)).toEqual({ at: { x: 1, y: 2 }, all: [{ x: 1 }, { x: 0 }], by: { a: { x: 1 } } });
  expect(schema.properties.at.default).toEqual({ y: 2 });
});
