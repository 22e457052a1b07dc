import { ColumnError } from '../base/errors.js';
import type { Tabular } from '../frame/tabular.js';
import { doublesOf, numericVector, plainColumn } from '../frame/vector/plain-vector.js';

/** The columns of a frame that hold forecasts and their outcomes. */
export interface ForecastOptions {
  /** Column of the probability, in [0, 1]. Default `probability`. */
  readonly probability?: string;
  /** Column of the outcome: 1 or true if it came true, 0 or false if not. Default `outcome`. */
  readonly outcome?: string;
}

/** Probabilities and their outcomes, in the order of the rows that have both. Never change the arrays. */
export interface Forecasts {
  readonly probabilities: Float64Array;
  /** Each 1 or 0. */
  readonly outcomes: Float64Array;
}

/**
 * The forecasts of a frame, without the rows in which the probability or the outcome is missing.
 *
 * @throws {ColumnError} If a column is missing or of the wrong kind, a probability is outside [0, 1], or an outcome is
 * neither 0 nor 1.
 */
export function forecastsOf(frame: Tabular, options: ForecastOptions): Forecasts {
  const { probability = 'probability', outcome = 'outcome' } = options;
  const probabilities = doublesOf(numericVector(frame, probability));
  const outcomes = outcomesOf(frame, outcome);
  let present = 0;
  for (let row = 0; row < probabilities.length; row += 1) {
    const share = probabilities[row] as number;
    const came = outcomes[row] as number;
    if (share >= 0 && share <= 1 && (came === 0 || came === 1)) {
      present += 1;
      continue;
    }
    if (share < 0 || share > 1) refuse(probability, share, row, 'a probability in [0, 1]');
    if (came !== 0 && came !== 1 && !Number.isNaN(came)) refuse(outcome, came, row, 'an outcome of 0 or 1');
  }
  if (present === probabilities.length) return { probabilities, outcomes };
  const isThere = (_: number, row: number) => !Number.isNaN(probabilities[row]) && !Number.isNaN(outcomes[row]);
  return { probabilities: probabilities.filter(isThere), outcomes: outcomes.filter(isThere) };
}

function outcomesOf(frame: Tabular, name: string): Float64Array {
  const vector = plainColumn(frame, name);
  if (vector.kind !== 'boolean') return doublesOf(numericVector(frame, name));
  return Float64Array.from(vector.values, (value) => (value < 0 ? Number.NaN : value));
}

function refuse(name: string, found: number, row: number, wanted: string): never {
  throw new ColumnError(
    `The column "${name}" holds ${found} in row ${row}, counted from 0; it needs ${wanted}, or nothing.`,
  );
}
