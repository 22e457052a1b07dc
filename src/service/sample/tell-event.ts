import { itemAt } from '../../base/item-at.js';
import { DAY_SECONDS } from '../../contract/time.js';
import { exactMath, Random } from './random.js';
import type { SampleParameters } from './sample-manifest.js';
import { CATEGORY_COUNT, type Story, type StoryDate, tellGroup, tellMatch, tellSingle } from './stories.js';

/** How a market stands when the sample ends. */
type Resolution = 'open' | 'won' | 'tie' | 'unresolved';

/** A market with its whole future, before it is traded. Times are in Unix seconds. */
export interface ToldMarket {
  id: string;
  conditionId: string;
  tokens: [string, string];
  question: string;
  item: string;
  slug: string;
  outcomes: [string, string];
  resolution: Resolution;
  /** The outcome that wins, or would win: 0 or 1. */
  winner: number;
  /** The log-odds of outcome 0 given the public news, from start to end. */
  path: Float64Array;
  rows: number;
}

/** An event with its markets. Times are in Unix seconds. */
export interface ToldEvent {
  id: string;
  title: string;
  slug: string;
  category: number;
  negRiskId: string;
  start: number;
  end: number;
  /** 0 while open. */
  closedAt: number;
  markets: ToldMarket[];
}

const STREAM = 4;
/** The shortest and longest life in days by category: politics, sports, crypto, weather, tech, entertainment. */
const lives: [number, number][] = [
  [20, 150],
  [10, 90],
  [2, 30],
  [2, 14],
  [15, 120],
  [10, 90],
];

/** Makes up an event: what it asks, when it starts and ends, what the news tells meanwhile, and how it ends. */
export function tellEvent(seed: number, planned: PlannedEvent): ToldEvent {
  const random = new Random(seed, STREAM, planned.index);
  const category = planned.kind === 'match' ? 1 : random.below(CATEGORY_COUNT);
  const open = random.chance(0.15);
  const { start, end } = drawLife(random, planned.kind === 'match' ? [2, 6] : itemAt(lives, category), open);
  const story = tellStory(random, planned, category, storyDate(end));
  const slug = `${toSlug(story.title)}-${100 + planned.index}`;
  const resolution = open ? 'open' : drawResolution(random, planned.kind);
  const beliefs = tellBeliefs(random, planned, resolution === 'tie');
  const markets = story.questions.map((question, i): ToldMarket => {
    const belief = itemAt(beliefs, i);
    return {
      id: String(500_000 + planned.firstMarket + i),
      conditionId: `0x${random.hex(64)}`,
      tokens: [drawToken(random), drawToken(random)],
      question: question.text,
      item: question.item,
      slug: planned.kind === 'single' ? slug : `${toSlug(question.text)}-${100 + planned.index}`,
      outcomes: question.outcomes,
      resolution,
      ...belief,
      rows: itemAt(planned.rows, i),
    };
  });
  const negRiskId = planned.kind === 'group' ? `0x${random.hex(62)}00` : '';
  const closedAt = open ? 0 : end + 1_200 + random.below(DAY_SECONDS);
  return {
    id: String(20_000 + planned.index),
    title: story.title,
    slug,
    category,
    negRiskId,
    start,
    end,
    closedAt,
    markets,
  };
}

function drawLife(
  random: Random,
  [shortest, longest]: [number, number],
  open: boolean,
): { start: number; end: number } {
  const life = Math.floor(random.between(shortest, longest) * DAY_SECONDS);
  if (open) {
    const lived = Math.floor(life * random.between(0.15, 0.9));
    return { start: sampleWindow.end - lived, end: sampleWindow.end - lived + life };
  }
  // Later starts are likelier: the market place grows.
  const when = random.chance(0.5) ? random.unit() : Math.sqrt(random.unit());
  const start =
    sampleWindow.start + Math.floor(when * (sampleWindow.end - 2 * DAY_SECONDS - life - sampleWindow.start));
  return { start, end: start + life };
}

function tellStory(random: Random, planned: PlannedEvent, category: number, date: StoryDate): Story {
  if (planned.kind === 'match') return tellMatch(random, date);
  if (planned.kind === 'group') return tellGroup(random, category, date, planned.rows.length);
  return tellSingle(random, category, date);
}

function drawResolution(random: Random, kind: PlannedEvent['kind']): Resolution {
  const at = random.unit();
  if (kind === 'group') return 'won';
  if (at < (kind === 'match' ? 0.06 : 0.025)) return 'tie';
  return at > 0.985 ? 'unresolved' : 'won';
}

function tellBeliefs(random: Random, planned: PlannedEvent, tie: boolean): { winner: number; path: Float64Array }[] {
  if (planned.kind === 'group') {
    const scores = planned.rows.map(() => 1.1 * random.normal());
    const { winner, paths } = beliefPaths(random, scores, 7.5, 0.65);
    return paths.map((path, k) => ({ winner: k === winner ? 0 : 1, path }));
  }
  const late = planned.kind === 'match' ? 0.9 : 0.6;
  return planned.rows.map((_, i) => {
    const lean = (planned.kind === 'match' ? (i === 0 ? 0.9 : 0.3) : 1.4) * random.normal();
    const { winner, paths } = beliefPaths(random, [lean, 0], tie ? 0.5 : 4, late);
    const path = paths[0] ?? new Float64Array();
    return { winner, path: tie ? path.map((odds, at) => odds * (1 - (at * at) / (path.length * path.length))) : path };
  });
}

function storyDate(time: number): StoryDate {
  const date = new Date(time * 1000);
  const month = months[date.getUTCMonth()] ?? '';
  return { day: `${month} ${date.getUTCDate()}`, month };
}

const months = 'January February March April May June July August September October November December'.split(' ');

function toSlug(text: string): string {
  return text
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, '-')
    .replace(/^-|-$/g, '');
}

/** Draws a token id of 76 to 78 digits, below 2^256. */
function drawToken(random: Random): string {
  const digits = 76 + random.below(3);
  let text = digits === 78 ? '10' : String(1 + random.below(9));
  while (text.length < digits) text += String(random.below(1e9)).padStart(9, '0');
  return text.slice(0, digits);
}

/** A single question, a group of questions of which one comes true, or a match with a side bet. */
type EventKind = 'single' | 'group' | 'match';

/** An event before its story is made: which of the sample's markets it holds, and how many fills each gets. */
interface PlannedEvent {
  index: number;
  kind: EventKind;
  /** The index of its first market in the sample. */
  firstMarket: number;
  /** The number of rows of each of its markets, at least 2. */
  rows: number[];
}

const EVENT_STREAM = 2;
const WEIGHT_STREAM = 3;

/**
 * Divides the sample's markets among events and its fills among markets. The numbers of fills are heavy-tailed and add
 * up exactly. It takes 8 bytes of memory a market.
 */
export function* planEvents(parameters: SampleParameters): Generator<PlannedEvent> {
  const { markets, fills } = parameters;
  const weights = Float64Array.from({ length: markets }, (_, market) => drawWeight(parameters.seed, market));
  let total = 0;
  for (const weight of weights) total += weight;
  const spare = fills - 2 * markets;
  let sum = 0;
  let given = 0;
  for (let index = 0, firstMarket = 0; firstMarket < markets; index++) {
    const { kind, size } = drawKind(new Random(parameters.seed, EVENT_STREAM, index), markets - firstMarket);
    const rows: number[] = [];
    for (let i = 0; i < size; i++) {
      sum += itemAt(weights, firstMarket + i);
      const upTo = firstMarket + i + 1 === markets ? spare : Math.floor((spare * sum) / total);
      rows.push(2 + upTo - given);
      given = upTo;
    }
    yield { index, kind, firstMarket, rows };
    firstMarket += size;
  }
}

function drawKind(random: Random, left: number): { kind: EventKind; size: number } {
  const at = random.unit();
  const size = 3 + random.below(6);
  if (at < 0.12 && size <= left) return { kind: 'group', size };
  return at < 0.5 && left >= 2 ? { kind: 'match', size: 2 } : { kind: 'single', size: 1 };
}

/** Draws a Pareto weight of exponent 4/3, cut off at the top thousandth, with noise: many small markets, few large. */
function drawWeight(seed: number, market: number): number {
  const random = new Random(seed, WEIGHT_STREAM, market);
  const root = Math.sqrt(random.between(0.001, 1));
  return (0.3 + random.unit()) / (root * Math.sqrt(root));
}

/** The number of steps of a path from a market's start to its end. */
export const PATH_STEPS = 256;

/** How a question's answer becomes known. */
interface Beliefs {
  /** The answer that wins. */
  winner: number;
  /** For each answer, the log-odds that it wins, at PATH_STEPS + 1 equally spaced times. */
  paths: Float64Array[];
}

/**
 * Draws which of several exclusive answers wins, and what an observer of the public news believes meanwhile. The
 * beliefs are the exact posterior given that news. They are therefore a martingale, and an answer that stands at 30%
 * wins in 30% of cases.
 *
 * @param random The event's stream.
 * @param scores The log-weight of each answer at the start, for at least two answers.
 * @param information How much the news tells in total (the variance of the final scores); 10 settles nearly everything.
 * @param late The share of the news that comes close to the end, in [0, 1].
 */
function beliefPaths(random: Random, scores: readonly number[], information: number, late: number): Beliefs {
  const winner = drawAnswer(random, scores.map(exactMath.exp));
  const current = Float64Array.from(scores);
  const paths = scores.map(() => new Float64Array(PATH_STEPS + 1));
  let told = 0;
  for (let step = 0; step <= PATH_STEPS; step++) {
    const time = step / PATH_STEPS;
    const now = information * ((1 - late) * time + late * time * time * time * time);
    const news = now - told;
    told = now;
    if (step > 0) {
      const deviation = Math.sqrt(news);
      for (let k = 0; k < current.length; k++) {
        current[k] = itemAt(current, k) + (k === winner ? news : 0) + deviation * random.normal();
      }
    }
    recordLogOdds(current, paths, step);
  }
  return { winner, paths };
}

function drawAnswer(random: Random, weights: number[]): number {
  let at = random.unit() * weights.reduce((sum, weight) => sum + weight, 0);
  for (const [k, weight] of weights.entries()) {
    at -= weight;
    if (at < 0) return k;
  }
  return 0;
}

function recordLogOdds(scores: Float64Array, paths: Float64Array[], step: number): void {
  const top = scores.reduce((high, score) => Math.max(high, score));
  const weights = scores.map((score) => exactMath.exp(Math.max(-40, score - top)));
  for (const [k, path] of paths.entries()) {
    let others = 0;
    for (let j = 0; j < weights.length; j++) if (j !== k) others += itemAt(weights, j);
    path[step] = exactMath.log(itemAt(weights, k)) - exactMath.log(others);
  }
}

/**
 * The nine months that a sample covers, in Unix seconds: from 2025-05-01 up to, but not including, 2026-02-01, both
 * UTC. The clock is never read, so that a sample is the same on every day.
 */
export const sampleWindow = { start: 1_746_057_600, end: 1_769_904_000 };
