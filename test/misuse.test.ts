import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, it, vi } from 'vitest';
import * as oddslab from '../src/index.js';
import { FUNCTIONS, frame, outcomeOf, rightCalls } from './support/public-calls.js';

// Every function that the package exports is called with what only TypeScript would have refused: no frames where frames
// belong, and arguments and options of every wrong type. An answer may be right by chance; an error has to say what was
// wrong and what would be right, so it is one of ours, and a frame is never taken for one that is none.

const { DataFrame, Series, OddslabError, UsageError } = oddslab;
vi.spyOn(console, 'warn').mockImplementation(() => undefined);
afterAll(() => vi.restoreAllMocks());

const NO_FRAMES: Readonly<Record<string, unknown>> = {
  null: null,
  nothing: undefined,
  'a number': 5,
  'a text': 'pnl',
  'a Series': new Series([1, 2]),
  'an array of records': [{ pnl: 5 }],
  'a promise': Promise.resolve(frame),
  'a query': oddslab.connect({ baseUrl: 'http://localhost:1' }).markets(),
  'an object': {},
};

/** Values of the wrong type, whatever is asked for; then some that are right here and wrong there. */
const NEVER: Readonly<Record<string, unknown>> = {
  'a symbol': Symbol('s'),
  'an object': { a: 1 },
  'a function': () => 1,
};
const ODD: Readonly<Record<string, unknown>> = {
  null: null,
  'a number': 5,
  NaN: Number.NaN,
  'a text': 'x',
  'an empty text': '',
  'a boolean': true,
  'an empty list': [],
  'a list of texts': ['pnl', 'invested'],
  'a list of objects': [{}],
  'a list of nulls': [null],
  'a list of numbers': [5],
  'a list of lists': [['pnl']],
  'an object of big integers': { pnl: 5n },
  'a Map': new Map([['pnl', 'profit']]),
  'a big integer': 5n,
  'an invalid date': new Date(Number.NaN),
  'a bare object': Object.create(null),
  'a Series': new Series([1, 2]),
};

const folder = await mkdtemp(join(tmpdir(), 'oddslab-misuse-'));
// Where a text is taken for a path, it is one in there.
const before = process.cwd();
process.chdir(folder);
afterAll(() => {
  process.chdir(before);
  return rm(folder, { recursive: true });
});
const CALLS = await rightCalls(folder);

/** Options whose values are functions or objects, everywhere or of one function. */
const TAKES: Readonly<Record<string, readonly string[]>> = {
  'a function': ['onProgress', 'onWarning', 'onWait', 'halves.measure'],
  'an object': [],
};

/** Functions of any number of frames, and those that read a frame as a whole, as `frames.map(recordsOf)` does. */
const MANY: readonly string[] = ['concatRows', 'recordsOf', 'columnsOf', 'completenessOf'];

/** The names of the options that a function has, as it tells them of one that it does not have. */
async function optionsOf(name: string, args: readonly unknown[]): Promise<{ at: number; names: string[] } | undefined> {
  for (const at of [args.length - 1, args.length].filter((place) => place >= 0)) {
    const given = [...args];
    const right = args[at];
    if (right !== undefined && (typeof right !== 'object' || right instanceof DataFrame || Array.isArray(right)))
      continue;
    given[at] = { ...(right as object), 'no option at all': 1 };
    const said = String(await outcomeOf(name, given));
    const names = /is no option of [^.]*\. They are ([^.]*)\./.exec(said)?.[1];
    if (names !== undefined) return { at, names: names.split(', ') };
  }
  return undefined;
}

describe.each(FUNCTIONS)('%s', (name) => {
  const { args, frames = 0 } = CALLS[name] ?? { args: [frame], frames: 1 };

  it('does what it says', async () => expect(await outcomeOf(name, args)).toBe(undefined));

  if (frames > 0)
    it('takes nothing else for a frame', async () => {
      for (const [what, given] of Object.entries(NO_FRAMES)) {
        for (let at = 0; at < frames; at += 1) {
          const error = await outcomeOf(name, args.with(at, given));
          expect(error, `${what}: ${error}`).toBeInstanceOf(UsageError);
          expect(String(error), what).toMatch(/This needs a frame, but got /);
        }
      }
    });

  it('refuses arguments of wrong types in words', async () => {
    for (let at = frames; at < Math.max(args.length, frames + 1); at += 1) {
      for (const [what, given] of Object.entries({ ...NEVER, ...ODD })) {
        const wrong = [...args];
        wrong[at] = given;
        const error = await outcomeOf(name, wrong);
        if (error !== undefined) expect(error, `${what} as argument ${at}: ${error}`).toBeInstanceOf(OddslabError);
      }
    }
  });

  if (frames > 0 && !MANY.includes(name))
    it('takes nothing in silence that it would ignore', async () => {
      const options = await optionsOf(name, args);
      const given = options ? args.slice(0, options.at) : args;
      for (const extra of [{ 'no option at all': 1 }, 'pnl'])
        expect(await outcomeOf(name, [...given, extra])).toBeInstanceOf(OddslabError);
    });

  it('refuses options of wrong types in words', async () => {
    const options = await optionsOf(name, args);
    if (!options) return;
    for (const option of options.names) {
      for (const [what, given] of Object.entries({ ...NEVER, ...ODD })) {
        const error = await outcomeOf(
          name,
          args.length > options.at
            ? args.with(options.at, { ...(args[options.at] as object), [option]: given })
            : [...args, { [option]: given }],
        );
        const isTaken = [option, `${name}.${option}`].some((each) => TAKES[what]?.includes(each));
        const isRefused = Object.hasOwn(NEVER, what) && !isTaken;
        if (error !== undefined || isRefused)
          expect(error, `${option}: ${what}: ${error}`).toBeInstanceOf(OddslabError);
      }
    }
  });
});

/** The methods of a class that have a name of their own; those with $ and the three behind are danfo's inner ones. */
function methodsOf(prototype: object): string[] {
  const names = new Set<string>();
  for (let each = prototype; each !== Object.prototype; each = Object.getPrototypeOf(each)) {
    for (const [name, { value }] of Object.entries(Object.getOwnPropertyDescriptors(each)))
      if (typeof value === 'function' && !/^\$|^constructor$|^cumOps$|^load\w+$/.test(name)) names.add(name);
  }
  return [...names];
}

const some = () => new DataFrame({ a: [1, Number.NaN], s: ['x', null] });
const FRAMES: Readonly<Record<string, () => object>> = {
  'a frame': some,
  'a frame of vectors': () => oddslab.filterRows(some(), () => true),
  'a frame without rows': () => oddslab.filterRows(some(), () => false),
  'a frame without columns': () => new DataFrame([]),
};

describe.each(Object.entries(FRAMES))('methods of %s', (_, make) => {
  vi.spyOn(console, 'log').mockImplementation(() => undefined);
  it.each(methodsOf(DataFrame.prototype))('%s never fails in the words of the engine', async (name) => {
    for (const [what, given] of Object.entries({ nothing: undefined, ...NEVER, ...ODD })) {
      if (typeof given === 'function') continue; // It would be called.
      try {
        await Reflect.get(make(), name).call(make(), ...(what === 'nothing' ? [] : [given]));
      } catch (error) {
        expect(`${what}: ${error}`).not.toMatch(
          /^[^:]+: (Type|Range|Reference)Error: (?!\w+ operation is not supported)|end must be greater/,
        );
      }
    }
  });
});

it('classes that are given wrong values say so', () => {
  const { Chart } = oddslab;
  for (const given of [null, undefined, 5, 'x', [1], Symbol('s')])
    expect(() => new Chart(given as never), String(given)).toThrow(UsageError);
});
