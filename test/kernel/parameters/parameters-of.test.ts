import { expect, it } from 'vitest';
import { InputError } from '../../../src/base/errors.js';
import { parametersOf } from '../../../src/kernel/parameters/parameters-of.js';

it('tells name, type, default and meaning of what a cell declares', () => {
  const cell = `import { x } from './x';
// How far to look back,
// in days.
const days = 7;
let wallet: string | null = null, depth = -1.5; // both are optional
/** Which markets count. */
export const filters = { closed: true, tags: ['a', "b"] };

// This stands apart.

var since = new Date('2025-01-01'), url = process.env.URL ?? 'none';
const { taken, apart } = f();
const mode = 'day' as Mode; const list = [] as const;
type Mode = 'day' | 'week';
function g() { const inner = 1; }`;
  const mode = { kind: 'union', of: ['day', 'week'].map((value) => ({ kind: 'literal', value })) };
  expect(parametersOf(cell, 'c')).toEqual([
    {
      name: 'days',
      keyword: 'const',
      defaultText: '7',
      description: 'How far to look back, in days.',
      shape: { kind: 'number' },
    },
    {
      name: 'wallet',
      keyword: 'let',
      statedType: 'string | null',
      defaultText: 'null',
      description: '',
      shape: { kind: 'union', of: [{ kind: 'string' }, { kind: 'null' }] },
    },
    {
      name: 'depth',
      keyword: 'let',
      defaultText: '-1.5',
      description: 'both are optional',
      shape: { kind: 'number' },
    },
    {
      name: 'filters',
      keyword: 'const',
      defaultText: `{ closed: true, tags: ['a', "b"] }`,
      description: 'Which markets count.',
      shape: {
        kind: 'object',
        fields: {
          closed: { shape: { kind: 'boolean' }, isOptional: false },
          tags: { shape: { kind: 'array', of: { kind: 'string' } }, isOptional: false },
        },
        rest: { kind: 'any' },
      },
    },
    {
      name: 'since',
      keyword: 'var',
      defaultText: "new Date('2025-01-01')",
      description: '',
      shape: { kind: 'date' },
    },
    {
      name: 'url',
      keyword: 'var',
      defaultText: "process.env.URL ?? 'none'",
      description: '',
      shape: { kind: 'string' },
    },
    { name: 'mode', keyword: 'const', statedType: 'Mode', defaultText: "'day'", description: '', shape: mode },
    {
      name: 'list',
      keyword: 'const',
      defaultText: '[] as const',
      description: '',
      shape: { kind: 'array', of: { kind: 'any' } },
    },
  ]);
});

it.each([
  ['readonly string[]', { kind: 'array', of: { kind: 'string' } }],
  ['Array<number>', { kind: 'array', of: { kind: 'number' } }],
  ['[string, number]', { kind: 'tuple', items: [{ kind: 'string' }, { kind: 'number' }], required: 2 }],
  ['Record<string, Date>', { kind: 'object', fields: {}, rest: { kind: 'date' } }],
  [
    '-1 | true | undefined',
    {
      kind: 'union',
      of: [{ kind: 'literal', value: -1 }, { kind: 'literal', value: true }, { kind: 'undefined' }],
    },
  ],
  ['(bigint)', { kind: 'bigint' }],
  ['unknown', { kind: 'any' }],
  ['Elsewhere', { kind: 'unchecked' }],
  [
    '{ a?: number; "b c": string }',
    {
      kind: 'object',
      fields: {
        a: { shape: { kind: 'number' }, isOptional: true },
        'b c': { shape: { kind: 'string' }, isOptional: false },
      },
    },
  ],
])('knows what the type %s takes', (type, shape) => {
  expect(parametersOf(`let a: ${type};`, 'c')).toEqual([
    { name: 'a', keyword: 'let', statedType: type, description: '', shape },
  ]);
});

it('comes to an end with a type that names itself', () => {
  const [parameter] = parametersOf('type Tree = Tree[] | number; let t: Tree = 1;', 'c');
  const branch = { kind: 'array', of: { kind: 'unchecked' } };
  expect(parameter?.shape).toEqual({ kind: 'union', of: [branch, { kind: 'number' }] });
});

it('refuses what does not parse, with the place', () => {
  const read = () => parametersOf('const a = 1;\nconst b = ;', 'nb.ipynb, cell 1');
  expect(read).toThrow(InputError);
  expect(read).toThrow(/^nb\.ipynb, cell 1, line 2:11: the parameters cannot be read: /);
});
