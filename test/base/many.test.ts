import { readdirSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseSync, Visitor } from 'oxc-parser';
import { describe, expect, it } from 'vitest';
import { appendAll, extentOf, greatestOf, leastOf } from '../../src/base/many.js';

const source = join(dirname(dirname(dirname(fileURLToPath(import.meta.url)))), 'src');

/** More than a call can take as its arguments. */
const MANY = 1_000_000;

describe('extremes and appending', () => {
  it('are those of any number of numbers', () => {
    const numbers = Float64Array.from({ length: MANY }, (_, at) => ((at * 7919) % MANY) - 10);
    expect(() => Math.min(...numbers)).toThrow(RangeError);
    expect(extentOf(numbers)).toEqual([-10, MANY - 11]);
    expect([leastOf(numbers), greatestOf(numbers)]).toEqual([-10, MANY - 11]);
    const list = [1];
    appendAll(list, numbers);
    expect([list.length, list[0], list.at(-1)]).toEqual([MANY + 1, 1, numbers.at(-1)]);
  });

  it('are those that Math.min and Math.max give of few', () => {
    for (const numbers of [[], [5], [-0, 0], [0, -0], [3, Number.NaN, 1], [Number.NEGATIVE_INFINITY, 2]]) {
      expect(leastOf(numbers)).toBe(Math.min(...numbers));
      expect(greatestOf(numbers)).toBe(Math.max(...numbers));
    }
    expect(extentOf(new Set([2, 1]).values())).toEqual([1, 2]);
  });
});

/** Calls of the file that spread a list into the arguments of a function that takes any number of them. */
function spreadsIn(file: string, text: string): string[] {
  const found: string[] = [];
  const visitor = new Visitor({
    CallExpression({ callee, arguments: given, start, end }) {
      if (callee.type !== 'MemberExpression' || callee.property.type !== 'Identifier') return;
      const { name } = callee.property;
      const isMath = callee.object.type === 'Identifier' && callee.object.name === 'Math';
      const takesMany = isMath || ['push', 'unshift', 'splice', 'fromCharCode', 'fromCodePoint'].includes(name);
      if (takesMany && given.some(({ type }) => type === 'SpreadElement'))
        found.push(`${file}: ${text.slice(start, end)}`);
    },
  });
  visitor.visit(parseSync(file, text).program);
  return found;
}

describe('src', () => {
  it('spreads no list, which may be as long as the data, into the arguments of a call', () => {
    const names = readdirSync(source, { recursive: true, encoding: 'utf8' }).filter((name) => name.endsWith('.ts'));
    // The front end of the notebook page is a package of its own.
    const ours = names.filter((name) => !name.startsWith(join('page', 'front')));
    expect(ours.length).toBeGreaterThan(500);
    expect(ours.flatMap((name) => spreadsIn(name, readFileSync(join(source, name), 'utf8')))).toEqual([]);
  });

  it('would be caught at it', () => {
    const text = 'Math.max(0, ...all); list.push(...more); list.push([...more]); f(...all); Math.max(1, 2);';
    expect(spreadsIn('a.ts', text)).toEqual(['a.ts: Math.max(0, ...all)', 'a.ts: list.push(...more)']);
  });
});
