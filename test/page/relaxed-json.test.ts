import { expect, it } from 'vitest';
import { readRelaxedJson } from '../../src/page/relaxed-json.js';
import fc, { cases } from '../support/fast-check.js';

it('reads all JSON as JSON', () => {
  fc.assert(
    fc.property(fc.jsonValue(), fc.constantFrom('', 1, '\t'), (value, indent) => {
      const text = JSON.stringify(value, undefined, indent);
      expect(readRelaxedJson(text)).toEqual(JSON.parse(text));
    }),
    { numRuns: cases(900) },
  );
});

it('reads what people write into settings', () => {
  const text = `// before
  {
    /* a comment */ theme: 'it\\'s "dark"', "size": +1.5e1, $x_1: .5, hex: 0xFF, last: 5.,
    list: [1, [], {}, null, true, -Infinity,], // of values
    'a\\
b': "\\x41\\u00e9\\n\\q", "__proto__": 1, NaN: NaN,
  }
  /* after */`;
  const value = readRelaxedJson(text) as Record<string, unknown>;
  expect(JSON.stringify(value)).toBe(
    '{"theme":"it\'s \\"dark\\"","size":15,"$x_1":0.5,"hex":255,"last":5,"list":[1,[],{},null,true,null],' +
      '"ab":"Aé\\nq","__proto__":1,"NaN":null}',
  );
  expect(Object.getPrototypeOf(value)).toBe(Object.prototype);
  expect(readRelaxedJson('\uFEFF{}')).toEqual({});
});

it('says where it goes wrong', () => {
  const faults = {
    '': 'a value is missing at line 1, column 1.',
    '{': 'a name is missing at line 1, column 2.',
    '{"a" 1}': '":" is missing after the name a at line 1, column 6.',
    '{\r\n"a": 1 "b": 2}': '"," or "}" is missing at line 2, column 8.',
    '[1,,2]': 'a value is missing at line 1, column 4.',
    '[1': '"," or "]" is missing at line 1, column 3.',
    '{} x': 'more follows after the end at line 1, column 4.',
    '{a: undefined}': 'a value is missing at line 1, column 5.',
    '{a: 01}': 'a value is missing at line 1, column 5.',
    '{a: "x\ny"}': 'a value is missing at line 1, column 5.',
    '/* open': 'a value is missing at line 1, column 1.',
    [`${'['.repeat(502)}`]: 'the values lie too deep in one another at line 1, column 502.',
  };
  for (const [text, message] of Object.entries(faults)) expect(() => readRelaxedJson(text), text).toThrow(message);
});
