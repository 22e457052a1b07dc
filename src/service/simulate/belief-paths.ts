import { exactMath } from './exact-math.js';
import type { Random } from './random.js';

/** The number of steps of a path from a market's start to its end. */
export const PATH_STEPS = 256;

/** How a question's answer becomes known. */
export interface Beliefs {
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
export function beliefPaths(random: Random, scores: readonly number[], information: number, late: number): Beliefs {
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
        current[k] = (current[k] ?? 0) + (k === winner ? news : 0) + deviation * random.normal();
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
    for (let j = 0; j < weights.length; j++) if (j !== k) others += weights[j] ?? 0;
    path[step] = exactMath.log(weights[k] ?? 1) - exactMath.log(others);
  }
}
