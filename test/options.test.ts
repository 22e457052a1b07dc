import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, it, vi } from 'vitest';
import { type OptionType, optionType } from '../src/base/option-types.js';
import * as oddslab from '../src/index.js';
import { FUNCTIONS, frame, rightCalls } from './support/public-calls.js';

// Every option of every function that the package exports is given values of every type. Which options there are, and
// what each holds, is read where the code itself checks it, so that an option that is new is tried, too, and one whose
// type is not stated fails. A wrong value is an error of ours that names the option and says what would be right; it is
// never the engine's, and nothing is taken in silence that would be ignored.

/** What the code checked: the options as they were given, the names that there are, and what each holds. */
interface Checked {
  readonly of: string;
  readonly options: unknown;
  readonly names: readonly string[];
  readonly types: Readonly<Record<string, OptionType>>;
}
const { checked } = vi.hoisted(() => ({ checked: [] as Checked[] }));
vi.mock('../src/base/nearest.js', async (original) => {
  const module = await original<typeof import('../src/base/nearest.js')>();
  const knownOptions: typeof module.knownOptions = (of, options, names, types = {}) => {
    checked.push({ of, options, names, types });
    module.knownOptions(of, options, names, types);
  };
  return { ...module, knownOptions };
});

const { Chart, DataFrame, OddslabError, Series } = oddslab;
vi.spyOn(console, 'warn').mockImplementation(() => undefined);
vi.spyOn(process, 'emitWarning').mockImplementation(() => undefined);
afterAll(() => vi.restoreAllMocks());

const folder = await mkdtemp(join(tmpdir(), 'oddslab-options-'));
const before = process.cwd();
process.chdir(folder);
afterAll(() => {
  process.chdir(before);
  return rm(folder, { recursive: true });
});
const CALLS = await rightCalls(folder);

const VALUES: Readonly<Record<string, unknown>> = {
  null: null,
  'a number': 5,
  NaN: Number.NaN,
  'a text': 'x',
  'a number in text': '5',
  'a list': [],
  'a list of texts': ['pnl', 'invested'],
  'a list of numbers': [5],
  'a list of nulls': [null],
  'a list of objects': [{ a: 1 }],
  'an object': { a: 1 },
  'a bare object': Object.create(null),
  'a Map': new Map([['pnl', 'profit']]),
  'a function': () => 1,
  'a Date': new Date(Date.UTC(2026, 0, 15)),
  'a Date of no time': new Date(Number.NaN),
  'a Series': new Series([1, 2]),
  'a promise': Promise.resolve(5),
  'true or false': true,
  'a big integer': 5n,
  'a symbol': Symbol('s'),
};

const RIGHT: Readonly<Record<OptionType, readonly string[]>> = {
  text: ['a text'],
  // An empty list names none.
  names: ['a text', 'a list', 'a list of texts'],
  list: ['a list', 'a list of texts'],
  number: ['a number'],
  boolean: ['true or false'],
  function: ['a function'],
  choice: ['a text'],
  day: ['a text', 'a Date'],
  window: ['a number', 'a text'],
  measure: ['a text', 'a function'],
  frame: [],
  source: [],
  columns: ['a list'],
  aggregation: [],
  // Without any.
  aggregations: ['a bare object'],
  prior: [],
  signal: [],
};

/** Which of the values an option may hold. */
function rightOf(type: OptionType): readonly string[] {
  return RIGHT[type].flatMap((what) => (what === 'a text' ? [what, 'a number in text'] : what));
}

/** Somebody who takes options: called with them. */
type Taker = (options: unknown) => unknown;

const chart = new Chart({
  data: { values: [{ a: 1 }] },
  mark: 'point',
  encoding: { x: { field: 'a', type: 'quantitative' } },
});
const client = oddslab.connect({ baseUrl: 'http://localhost:1', retries: 0 });
const wallet = `0x${'5'.repeat(40)}`;

/** Takers that are no exported functions, with options that are right. */
const METHODS: Readonly<Record<string, readonly [Taker, object]>> = {
  'new Chart': [
    (options) => new Chart({ mark: 'point', encoding: { x: { field: 'pnl' } } }, options as never),
    { data: frame },
  ],
  'Chart.toSvg': [(options) => chart.toSvg(options as never), {}],
  'Chart.save': [(options) => chart.save(join(folder, 'a.png'), options as never), {}],
  'a key of sortBy': [(options) => oddslab.sortBy(frame as never, [options] as never), { column: 'pnl' }],
  ...Object.fromEntries(
    (['markets', 'pnl', 'leaderboard', 'positions', 'lifetime', 'trades', 'candles'] as const).map((name) => {
      const filters = name === 'candles' ? { tokenId: '5' } : { wallet };
      const taker: Taker = (run) => client[name]((name === 'markets' ? {} : filters) as never, run as never).count();
      return [`the run of ${name}`, [taker, {}]];
    }),
  ),
  'the run of a dataset': [(run) => client.dataset(555, {}, run as never).count(), {}],
  'Query.toCsv': [(options) => client.markets().toCsv(join(folder, 'a.csv'), options as never), {}],
  'DataFrame.getDummies': [
    (options) => (frame as never as { getDummies: Taker }).getDummies(options),
    { columns: ['proxy_wallet'] },
  ],
  'DataFrame.toJSON': [(options) => (frame as never as { toJSON: Taker }).toJSON(options), {}],
  'the frames of tearSheet': [(frames) => oddslab.tearSheet(frames as never), { pnl: frame }],
};

async function outcomeOf(taker: Taker, options: unknown): Promise<unknown> {
  try {
    const answer = await taker(options);
    if (typeof answer === 'object' && answer !== null && 'measure' in answer)
      oddslab.groupBy(frame as never, 'date' as never).rollup({ a: answer as never });
    return undefined;
  } catch (error) {
    return error;
  }
}

/** What was checked of these very options. */
async function checkedOf(taker: Taker, options: object): Promise<Checked | undefined> {
  checked.length = 0;
  await outcomeOf(taker, options);
  return checked.find((each) => each.options === options);
}

/** The places among a function's arguments that take options, each with those that are right. */
async function takersOf(name: string): Promise<[string, Taker, object][]> {
  const { args, frames = 0 } = CALLS[name] ?? { args: [frame], frames: 1 };
  const called = Reflect.get(oddslab, name) as (...args: unknown[]) => unknown;
  const found: [string, Taker, object][] = [];
  for (let at = frames; at <= Math.max(args.length, called.length, 2); at += 1) {
    const right: unknown = args[at] ?? {};
    if (typeof right !== 'object' || right === null || Array.isArray(right) || right instanceof DataFrame) continue;
    const taker: Taker = (options) => called(...Object.assign([...args], { [at]: options }));
    if (await checkedOf(taker, { ...right })) found.push([name, taker, right]);
  }
  return found;
}

const found: [string, Taker, object][] = [];
for (const name of FUNCTIONS) found.push(...(await takersOf(name)));
const TAKERS = [
  ...found,
  ...Object.entries(METHODS).map(([name, [taker, right]]): [string, Taker, object] => [name, taker, right]),
];

/** What is wrong with an answer to a value of an option; undefined if nothing. */
function faultOf(option: string, isRight: boolean, error: unknown): string | undefined {
  if (error !== undefined && !(error instanceof OddslabError)) return 'an error of the engine';
  if (isRight) return undefined;
  if (error === undefined) return 'taken in silence';
  if (error instanceof oddslab.ServiceError) return 'sent';
  if (!new RegExp(`\\b${option}\\b`).test(error.message)) return 'does not name the option';
  return /\b(?:must|needs?|takes?|given?|write|cut)\b/.test(error.message)
    ? undefined
    : 'does not say what would be right';
}

describe.each(TAKERS)('%s', (_, taker, right) => {
  it('takes what is right, and refuses anything else by the name of the option', async () => {
    const told = await checkedOf(taker, { ...right });
    const faults: string[] = [];
    for (const option of told?.names ?? []) {
      const type = optionType(option, told?.types ?? {});
      if (type === undefined) faults.push(`${option} has no type`);
      for (const [what, value] of Object.entries(type === undefined ? {} : VALUES)) {
        const error = await outcomeOf(taker, { ...right, [option]: value });
        // An object whose `pnl` is a function is a lab.
        const isRight = rightOf(type as OptionType).includes(what) || (option === 'pnl' && what === 'a function');
        const fault = faultOf(option, isRight, error);
        if (fault !== undefined) faults.push(`${option} (${type}), ${what}: ${fault}: ${String(error).slice(0, 300)}`);
      }
    }
    expect(faults).toEqual([]);
  }, 60_000);
});

it('goes through the options of every function that has any', () => {
  const names = new Set(TAKERS.map(([name]) => name));
  const written = Object.keys(oddslab).filter((name) =>
    /options(?: = \{\})?\)|run = \{\}\)/.test(String(Reflect.get(oddslab, name)).slice(0, 400)),
  );
  expect(FUNCTIONS.filter((name) => written.includes(name) && !names.has(name))).toEqual([]);
  expect(names.size).toBeGreaterThan(80);
});
