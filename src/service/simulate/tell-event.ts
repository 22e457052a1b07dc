import { DAY_SECONDS } from '../../contract/time.js';
import { beliefPaths } from './belief-paths.js';
import type { PlannedEvent } from './plan-events.js';
import { Random } from './random.js';
import { sampleWindow } from './sample-window.js';
import { CATEGORY_COUNT, type Story, type StoryDate, tellGroup, tellMatch, tellSingle } from './stories.js';

/** How a market stands when the sample ends. */
export type Resolution = 'open' | 'won' | 'tie' | 'unresolved';

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
  const { start, end } = drawLife(random, planned.kind === 'match' ? [2, 6] : (lives[category] ?? [10, 90]), open);
  const story = tellStory(random, planned, category, storyDate(end));
  const slug = `${toSlug(story.title)}-${100 + planned.index}`;
  const resolution = open ? 'open' : drawResolution(random, planned.kind);
  const beliefs = tellBeliefs(random, planned, resolution === 'tie');
  const markets = story.questions.map((question, i): ToldMarket => {
    const belief = beliefs[i] ?? { winner: 1, path: new Float64Array() };
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
      rows: planned.rows[i] ?? 0,
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
