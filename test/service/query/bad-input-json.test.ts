import { describe, expect, it } from 'vitest';
import { parseJsonBody } from '../../../src/service/http/request-body.js';
import { jsonFault } from '../../../src/service/settings/strict-json.js';
import fc from '../../support/fast-check.js';

const json = fc.jsonValue({ maxDepth: 6 });

describe('parseJsonBody', () => {
  it('reads what JSON.parse reads, however it is written', () => {
    fc.assert(
      fc.property(
        json,
        fc.constantFrom(undefined, 1, '\t'),
        fc.constantFrom('', '\ufeff', ' \n'),
        (value, space, before) => {
          const text = JSON.stringify(value, null, space);
          expect(parseJsonBody(Buffer.from(before + text))).toEqual(JSON.parse(text));
        },
      ),
    );
  });

  it('keeps __proto__ as a plain member', () => {
    const value = parseJsonBody(Buffer.from('{"__proto__":{"polluted":true}}')) as object;
    expect([Object.keys(value), 'polluted' in value]).toEqual([['__proto__'], false]);
  });
});

describe('jsonFault', () => {
  it('finds a member that is named twice, wherever it is and however it is written', () => {
    const escaped = (name: string) =>
      `"${[...name].map((unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`).join('')}"`;
    fc.assert(
      fc.property(json, json, fc.string({ maxLength: 20 }), fc.boolean(), (first, second, name, isEscaped) => {
        const again = isEscaped ? escaped(name) : JSON.stringify(name);
        const pair = `{${JSON.stringify(name)}:${JSON.stringify(first)},${again}:${JSON.stringify(second)}}`;
        const pointer = name.replaceAll('~', '~0').replaceAll('/', '~1');
        expect(jsonFault(`[0,{"in":${pair}}]`)).toEqual({ pointer: `/1/in/${pointer}`, detail: 'is named twice' });
      }),
    );
  });

  it.each([
    ['{"a":{"a":1},"b":[{"a":1},{"a":1}]}', undefined],
    ['{"a":"\\"}","b":"{\\"a\\":1,\\"a\\":2}"}', undefined],
    ['{"a\\\\":1,"a":2}', undefined],
    ['[[],[],{},{}]', undefined],
    ['[{"x":[1,2,{"y":1,"y":2}]}]', { pointer: '/0/x/2/y', detail: 'is named twice' }],
    [`${'['.repeat(17)}${']'.repeat(17)}`, { pointer: '/0'.repeat(16), detail: 'is nested more than 16 levels deep' }],
  ])('of %s is %j', (text, fault) => {
    expect(jsonFault(text)).toEqual(fault);
  });
});
