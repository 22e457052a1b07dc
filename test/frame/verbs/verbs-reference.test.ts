import { describe, expect, test } from 'vitest';
import { columnsOf } from '../../../src/frame/tabular/columns-of.js';
import { concatRows } from '../../../src/frame/verbs/concat-rows.js';
import { exactSum } from '../../../src/frame/verbs/exact-sum.js';
import { first, last, max, min } from '../../../src/frame/verbs/extreme.js';
import { filterRows } from '../../../src/frame/verbs/filter-rows.js';
import { distinct, groupBy } from '../../../src/frame/verbs/group-by.js';
import { joinOn } from '../../../src/frame/verbs/join-on.js';
import { count, nUnique } from '../../../src/frame/verbs/measure.js';
import { pivot } from '../../../src/frame/verbs/pivot.js';
import { median } from '../../../src/frame/verbs/quantile.js';
import { sortBy, topN } from '../../../src/frame/verbs/sort-by.js';
import { mean, std, sum, weightedMean } from '../../../src/frame/verbs/sum-and-mean.js';
import fc from '../../support/fast-check.js';
import {
  COLUMNS,
  danfoFrameOf,
  type FrameRow,
  frameOf,
  isNothing,
  keyOf,
  type RandomRow,
  type Raw,
  randomRows,
  rawOf,
  rawRows,
} from './random-frames.js';

type Name = keyof RandomRow;

const names = fc.subarray<Name>(['text', 'number', 'flag', 'money'], { minLength: 1 });
const sortKeys = fc.uniqueArray(fc.record({ column: names.map(([name = 'text']) => name), descending: fc.boolean() }), {
  selector: ({ column }) => column,
});

function compare(a: Raw, b: Raw, descending: boolean): number {
  if (isNothing(a) || isNothing(b)) return Number(isNothing(a)) - Number(isNothing(b));
  return (a < b ? -1 : a > b ? 1 : 0) * (descending ? -1 : 1);
}

/** Rows by key, in the order in which the keys first appear. */
function groupsOf(rows: readonly RandomRow[], keys: readonly Name[]): RandomRow[][] {
  const groups = new Map<string, RandomRow[]>();
  for (const row of rows) {
    const key = keyOf(...keys.map((name) => row[name]));
    groups.set(key, [...(groups.get(key) ?? []), row]);
  }
  return [...groups.values()];
}

const present = (group: readonly RandomRow[]) =>
  group.map(({ number }) => number).filter((value) => !Number.isNaN(value));
const total = (values: readonly number[]) => values.reduce((sum, value) => sum + value, 0);

/** Halves numbers often enough that their sum is a double. */
function meanOf(numbers: number[]): number {
  const plain = total(numbers) / numbers.length;
  if (Number.isFinite(plain) || !numbers.every(Number.isFinite)) return plain;
  return (total(numbers.map((value) => value / 2 ** 60)) / numbers.length) * 2 ** 60;
}

describe('on random frames, like plain JavaScript:', () => {
  test('sortBy', () => {
    fc.assert(
      fc.property(randomRows, sortKeys, (rows, keys) => {
        const reference = rows.toSorted((a, b) =>
          keys.reduce((order, { column, descending }) => order || compare(a[column], b[column], descending), 0),
        );
        const sorted = sortBy(frameOf(rows), keys);
        expect(rawRows(sorted)).toEqual(rawOf(reference));
        expect(columnsOf(sorted)).toEqual(COLUMNS);
      }),
    );
  });

  test('sortBy of more rows than a digit has values', () => {
    const large = fc.array(fc.double(), { minLength: 3000, maxLength: 5000 });
    fc.assert(
      fc.property(large, fc.boolean(), (numbers, descending) => {
        const rows = numbers.map((number, row): RandomRow => ({ text: `${row}`, number, flag: null, money: 0n }));
        const reference = rows.toSorted((a, b) => compare(a.number, b.number, descending));
        expect(rawRows(sortBy(frameOf(rows), { column: 'number', descending }))).toEqual(rawOf(reference));
      }),
      { numRuns: 10 },
    );
  });

  test.each([0.02, 0.15, 0.6, 1])(
    'sortBy of numbers of which some, or all, differ in their last bits alone: %d',
    (share) => {
      // One number in 20 repeats another whole, so that the order of equal rows shows, too.
      const spread = fc.tuple(fc.double({ min: 0, max: 1 }), fc.integer({ min: 1, max: 1_000_000 }), fc.nat(19));
      fc.assert(
        fc.property(fc.array(spread, { minLength: 2000, maxLength: 3000 }), fc.boolean(), (draws, descending) => {
          const numbers: number[] = [];
          for (const [chance, whole, bits] of draws) {
            const near = numbers.at(-1);
            numbers.push(chance < share && near ? near + (bits === 0 ? 0 : bits * 2 ** -30) : whole);
          }
          const rows = numbers.map((number, row): RandomRow => ({ text: `${row}`, number, flag: null, money: 0n }));
          const reference = rows.toSorted((a, b) => compare(a.number, b.number, descending));
          expect(rawRows(sortBy(frameOf(rows), { column: 'number', descending }))).toEqual(rawOf(reference));
        }),
        { numRuns: 5 },
      );
    },
  );

  test('topN', () => {
    fc.assert(
      fc.property(randomRows, fc.nat(5), names, (rows, many, [name = 'text']) => {
        const reference = rows.toSorted((a, b) => compare(a[name], b[name], true)).slice(0, many);
        expect(rawRows(topN(frameOf(rows), many, name))).toEqual(rawOf(reference));
      }),
    );
  });

  test('filterRows, by a test and by a mask', () => {
    fc.assert(
      fc.property(randomRows, fc.integer({ min: -2, max: 2 }), (rows, least) => {
        const passes = (row: Omit<FrameRow, 'money'>) => row.flag !== false && (row.number > least || row.text === 'a');
        const reference = rows.filter((row) => passes(row));
        const frame = frameOf(rows);
        const filtered = filterRows(frame, passes);
        expect(rawRows(filtered)).toEqual(rawOf(reference));
        expect(columnsOf(filtered)).toEqual(COLUMNS);
        expect(rawRows(filterRows(frame, rows.map(passes)))).toEqual(rawOf(reference));
        expect(
          rawRows(
            filterRows(
              frame,
              Uint8Array.from(rows, (row) => Number(passes(row))),
            ),
          ),
        ).toEqual(rawOf(reference));
        const own = filterRows(danfoFrameOf(rows), passes);
        expect(rawRows(own)).toEqual(rawOf(reference).map((cells) => cells.slice(0, 3)));
      }),
    );
  });

  test('distinct', () => {
    fc.assert(
      fc.property(randomRows, names, (rows, keys) => {
        const firsts = (by: readonly Name[]) => rawOf(groupsOf(rows, by).flatMap(([row]) => row ?? []));
        expect(rawRows(distinct(frameOf(rows), keys))).toEqual(firsts(keys));
        expect(rawRows(distinct(frameOf(rows)))).toEqual(firsts(['text', 'number', 'flag', 'money']));
        const own = firsts(['text', 'number', 'flag']).map((cells) => cells.slice(0, 3));
        expect(rawRows(distinct(danfoFrameOf(rows)))).toEqual(own);
      }),
    );
  });

  test('distinct of many values, by one key and by several', () => {
    const rows = Array.from({ length: 20_000 }, (_, row): RandomRow => {
      const value = (row * 7919) % 9_973;
      return { text: `${value % 97}`, number: value + 0.5, flag: row % 2 === 0, money: BigInt(value) << 20n };
    });
    for (const keys of [['number'], ['money'], ['money', 'number'], ['text', 'number', 'flag']] as const) {
      const reference = rawOf(groupsOf(rows, keys).flatMap(([row]) => row ?? []));
      expect(rawRows(distinct(frameOf(rows), keys))).toEqual(reference);
    }
  });

  test('groupBy and its measures', () => {
    fc.assert(
      fc.property(randomRows, names, (rows, keys) => {
        const measured = groupBy(frameOf(rows), keys).rollup({
          ...{ total: sum('number'), average: mean('number'), rows: count(), known: count('text') },
          ...{ kinds: nUnique('text'), start: first('text'), end: last('text') },
          ...{ least: min('money'), most: max('money'), low: min('text'), high: max('number') },
        });
        const reference = groupsOf(rows, keys).map((group) => {
          const texts = group.flatMap(({ text }) => text ?? []);
          const amounts = group.flatMap(({ money }) => money ?? []).toSorted((a, b) => compare(a, b, false));
          const numbers = present(group);
          return [
            // A key of -0 is 0.
            ...keys.map((name) => (Object.is(group[0]?.[name], -0) ? 0 : group[0]?.[name])),
            ...[total(numbers), meanOf(numbers), group.length, texts.length],
            ...[new Set(texts).size, texts[0] ?? null, texts.at(-1) ?? null],
            ...[amounts[0] ?? null, amounts.at(-1) ?? null, texts.toSorted()[0] ?? null],
            // The first of equals: 0 and -0 are.
            numbers.reduce((most, value) => (value > most || Number.isNaN(most) ? value : most), Number.NaN),
          ];
        });
        expect(rawRows(measured)).toEqual(reference);
      }),
    );
  });

  test('median, std and weightedMean', () => {
    const tame = fc.array(fc.tuple(fc.constantFrom('a', 'b'), fc.option(fc.integer({ min: -9, max: 9 }))));
    fc.assert(
      fc.property(tame, (pairs) => {
        const rows = pairs.map(
          ([text, value]): RandomRow => ({ text, number: value ?? Number.NaN, flag: null, money: 2_000_000n }),
        );
        const measures = { middle: median('number'), spread: std('number'), average: weightedMean('number', 'money') };
        const groups = rawRows(groupBy(frameOf(rows), 'text').rollup(measures));
        for (const [at, group] of groupsOf(rows, ['text']).entries()) {
          const sorted = present(group).toSorted((a, b) => a - b);
          const average = total(sorted) / sorted.length;
          const middle =
            ((sorted[Math.floor((sorted.length - 1) / 2)] ?? Number.NaN) +
              (sorted[Math.ceil((sorted.length - 1) / 2)] ?? Number.NaN)) /
            2;
          const squares = total(sorted.map((value) => (value - average) ** 2));
          const spread = sorted.length < 2 ? Number.NaN : Math.sqrt(squares / (sorted.length - 1));
          const [, ...found] = groups[at] as number[];
          for (const [place, value] of [middle, spread, average].entries()) {
            expect(found[place]).toEqual(Number.isNaN(value) ? value : expect.closeTo(value, 9));
          }
        }
      }),
    );
  });

  test('joinOn of every kind', () => {
    const sides = fc.tuple(randomRows, randomRows);
    fc.assert(
      fc.property(sides, names, (sidesRows, keys) => {
        const [left, right] = sidesRows;
        const matches = (row: RandomRow) =>
          right.filter((other) =>
            keys.every((name) => !isNothing(row[name]) && keyOf(row[name]) === keyOf(other[name])),
          );
        const added = (['text', 'number', 'flag', 'money'] as const).filter((name) => !keys.includes(name));
        const pair = (row: RandomRow, other?: RandomRow) => [
          ...(rawOf([row])[0] ?? []),
          ...added.map((name) => other?.[name] ?? (name === 'number' ? Number.NaN : null)),
        ];
        const by = <Kind extends 'inner' | 'left' | 'right' | 'outer' | 'semi' | 'anti'>(kind: Kind) =>
          joinOn(frameOf(left), frameOf(right), keys, { kind, validate: 'm:m' });
        const joined = by('inner');
        expect(rawRows(joined)).toEqual(left.flatMap((row) => matches(row).map((other) => pair(row, other))));
        const outerLeft = left.flatMap((row) =>
          (matches(row).length > 0 ? matches(row) : [undefined]).map((other) => pair(row, other)),
        );
        expect(rawRows(by('left'))).toEqual(outerLeft);
        const matched = left.map((row) => matches(row));
        expect(rawRows(by('anti'))).toEqual(rawOf(left.filter((_, at) => matched[at]?.length === 0)));
        expect(rawRows(by('semi'))).toEqual(rawOf(left.filter((_, at) => matched[at]?.length !== 0)));
        // Of a right row alone the keys stand where those of the left one do.
        const nothing: RandomRow = { text: null, number: Number.NaN, flag: null, money: null };
        const alone = (row: RandomRow) =>
          pair({ ...nothing, ...Object.fromEntries(keys.map((name) => [name, row[name]])) }, row);
        const unmatched = right.filter((row) => !matched.some((others) => others.includes(row)));
        expect(rawRows(by('outer'))).toEqual([...outerLeft, ...unmatched.map(alone)]);
        const turned = right.flatMap((row) => {
          const pairs = left.filter((_, at) => matched[at]?.includes(row)).map((one) => pair(one, row));
          return pairs.length > 0 ? pairs : [alone(row)];
        });
        expect(rawRows(by('right'))).toEqual(turned);
        expect(joined.columns).toEqual(['text', 'number', 'flag', 'money', ...added.map((name) => `${name}_right`)]);
      }),
    );
  });

  test('concatRows: any split of the rows gives the same frame, and sorts the same', () => {
    fc.assert(
      fc.property(fc.array(randomRows, { maxLength: 4 }), (parts) => {
        const whole = concatRows(...parts.map(frameOf));
        expect(rawRows(whole)).toEqual(rawOf(parts.flat()));
        if (parts.length > 0) {
          expect(rawRows(sortBy(whole, ['text', 'number']))).toEqual(
            rawRows(sortBy(frameOf(parts.flat()), ['text', 'number'])),
          );
        }
        const own = concatRows(...parts.map(danfoFrameOf));
        expect(rawRows(own)).toEqual(rawOf(parts.flat()).map((cells) => cells.slice(0, 3)));
      }),
    );
  });

  test('pivot spreads what groupBy measures', () => {
    fc.assert(
      fc.property(randomRows, (rows) => {
        const table = pivot(frameOf(rows), { rows: 'text', columns: 'flag', values: last('money') });
        const flags = [...new Set(rows.map(({ flag }) => flag))];
        expect(table.columns).toEqual(['text', ...flags.map(String)]);
        expect(rawRows(table)).toEqual(
          groupsOf(rows, ['text']).map((group) => [
            group[0]?.text,
            ...flags.map((flag) => group.findLast((row) => row.flag === flag && row.money !== null)?.money ?? null),
          ]),
        );
      }),
    );
  });

  test('exactSum, and the sums of groups that fit 64 bits', () => {
    const small = randomRows.map((rows) =>
      rows.map((row) => ({ ...row, money: row.money === null ? null : row.money / 64n })),
    );
    fc.assert(
      fc.property(randomRows, small, (rows, smaller) => {
        const add = (group: readonly RandomRow[]) => group.reduce((sum, { money }) => sum + (money ?? 0n), 0n);
        expect(exactSum(frameOf(rows), 'money')).toBe(add(rows));
        const groups = groupBy(frameOf(smaller), 'flag').rollup({ total: sum('money') });
        expect(rawRows(groups)).toEqual(groupsOf(smaller, ['flag']).map((group) => [group[0]?.flag, add(group)]));
      }),
    );
  });
});
