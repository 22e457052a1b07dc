import type { SampleParameters } from './check-parameters.js';
import { Random } from './random.js';

/** A single question, a group of questions of which one comes true, or a match with a side bet. */
export type EventKind = 'single' | 'group' | 'match';

/** An event before its story is made: which of the sample's markets it holds, and how many fills each gets. */
export interface PlannedEvent {
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
      sum += weights[firstMarket + i] ?? 0;
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
