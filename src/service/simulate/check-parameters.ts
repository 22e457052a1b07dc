import { UsageError } from '../../base/errors.js';

/** What determines a sample: equal parameters give equal bytes. */
export interface SampleParameters {
  markets: number;
  wallets: number;
  /** The number of rows of `trades.json`: each match gives one for the taker and one for each maker. */
  fills: number;
  seed: number;
}

const defaults: SampleParameters = { markets: 2_000, wallets: 500, fills: 200_000, seed: 1 };
const ranges: Record<keyof SampleParameters, [number, number]> = {
  markets: [1, 1_000_000],
  wallets: [2, 1_000_000],
  fills: [2, 100_000_000],
  seed: [0, 4_294_967_295],
};

/**
 * Fills in default parameters and checks that all of them go together.
 *
 * @throws {UsageError} If a parameter is not a whole number in its range, or there are too few fills for the markets or
 *   wallets.
 * @example checkParameters({ fills: 1e6 }); // { markets: 2000, wallets: 500, fills: 1000000, seed: 1 }
 */
export function checkParameters(given: Partial<SampleParameters>): SampleParameters {
  const parameters = { ...defaults };
  for (const name of ['markets', 'wallets', 'fills', 'seed'] as const) {
    const value = given[name] ?? defaults[name];
    const [low, high] = ranges[name];
    if (!Number.isInteger(value) || value < low || value > high) {
      throw new UsageError(`${name} is ${value}; it must be a whole number from ${low} to ${high}`);
    }
    parameters[name] = value;
  }
  const { markets, wallets, fills } = parameters;
  if (fills < 2 * markets) {
    throw new UsageError(
      `${fills} fills are too few for ${markets} markets: every market trades, and a trade has two sides; ` +
        `ask for at least ${2 * markets} fills, or for at most ${Math.floor(fills / 2)} markets`,
    );
  }
  if (fills < wallets) {
    throw new UsageError(
      `${fills} fills are too few for ${wallets} wallets: every wallet trades at least once; ` +
        `ask for at least ${wallets} fills, or for at most ${fills} wallets`,
    );
  }
  return parameters;
}
