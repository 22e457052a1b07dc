import { EVENTS, type MarketInputs } from './market-inputs.js';

// The least that each measure could cost: a loop over typed arrays, without checks, column names or described results.
// Dates are text in a frame; these loops read them with Date.parse.

export const DAY = 86_400_000;

/** Dollars, markets and shares by event, the greatest first. A frame from a query has events as small integers. */
export function volumeByEvent({ dollars, events }: MarketInputs) {
  const [sums, counts] = [new Float64Array(EVENTS), new Float64Array(EVENTS)];
  let total = 0;
  for (let row = 0; row < dollars.length; row += 1) {
    const event = events[row] as number;
    sums[event] = (sums[event] as number) + (dollars[row] as number);
    counts[event] = (counts[event] as number) + 1;
    total += dollars[row] as number;
  }
  const order = Uint32Array.from(sums, (_, event) => event).sort((a, b) => (sums[b] as number) - (sums[a] as number));
  let soFar = 0;
  const shares = Float64Array.from(order, (event) => {
    soFar += sums[event] as number;
    return soFar / total;
  });
  return [order, sums, counts, shares];
}

/** Dollars by week of the close. */
export function volumeByWeek({ dollars, closes }: MarketInputs) {
  const sums = new Map<number, number>();
  for (let row = 0; row < dollars.length; row += 1) {
    const week = Math.floor((Date.parse(closes[row] as string) / DAY + 3) / 7);
    sums.set(week, (sums.get(week) ?? 0) + (dollars[row] as number));
  }
  return sums;
}

/** HHI and Gini. */
export function concentration({ dollars }: MarketInputs) {
  const sorted = dollars.slice().sort();
  let total = 0;
  for (let row = 0; row < sorted.length; row += 1) total += sorted[row] as number;
  let squares = 0;
  let ranked = 0;
  for (let row = 0; row < sorted.length; row += 1) {
    const share = (sorted[row] as number) / total;
    squares += share * share;
    ranked += (2 * row + 1 - sorted.length) * share;
  }
  return [squares, ranked / sorted.length];
}

/** Cumulative shares. */
export function lorenzCurve({ dollars }: MarketInputs) {
  const sorted = dollars.slice().sort();
  const [members, shares] = [new Float64Array(sorted.length), new Float64Array(sorted.length)];
  let total = 0;
  for (let row = 0; row < sorted.length; row += 1) total += sorted[row] as number;
  let soFar = 0;
  for (let row = 0; row < sorted.length; row += 1) {
    soFar += sorted[row] as number;
    members[row] = (row + 1) / sorted.length;
    shares[row] = soFar / total;
  }
  return [members, shares];
}

/** Markets and dollars by third of a decade. */
export function distribution({ dollars }: MarketInputs) {
  const [sums, counts] = [new Float64Array(64), new Float64Array(64)];
  for (let row = 0; row < dollars.length; row += 1) {
    const amount = dollars[row] as number;
    const bin = amount > 0 ? 32 + Math.floor(3 * Math.log10(amount)) : 0;
    sums[bin] = (sums[bin] as number) + amount;
    counts[bin] = (counts[bin] as number) + 1;
  }
  return [sums, counts];
}

/** Days from the opening, and from the scheduled end, to the close. */
export function timeToResolution({ starts, ends, closes }: MarketInputs) {
  const [open, late] = [new Float64Array(starts.length), new Float64Array(starts.length)];
  for (let row = 0; row < starts.length; row += 1) {
    const close = Date.parse(closes[row] as string);
    open[row] = (close - Date.parse(starts[row] as string)) / DAY;
    late[row] = (close - Date.parse(ends[row] as string)) / DAY;
  }
  return [open, late];
}

/** Dollars per day. */
export function turnover({ starts, closes, dollars }: MarketInputs) {
  const rates = new Float64Array(starts.length);
  for (let row = 0; row < starts.length; row += 1) {
    const days = (Date.parse(closes[row] as string) - Date.parse(starts[row] as string)) / DAY;
    rates[row] = (dollars[row] as number) / days;
  }
  return rates;
}

/** How often each label was offered on each side, and how often it won. */
export function outcomeShares({ closed, sides, winners }: MarketInputs) {
  return sides.map((offered) => {
    const [decided, wins, open] = [new Float64Array(4), new Float64Array(4), new Float64Array(4)];
    for (let row = 0; row < offered.length; row += 1) {
      const label = offered[row] as number;
      if (closed[row] !== 1) open[label] = (open[label] as number) + 1;
      else decided[label] = (decided[label] as number) + 1;
      if (winners[row] === label) wins[label] = (wins[label] as number) + 1;
    }
    return [decided, wins, open];
  });
}

/** Counts of forecasts, their sums and their hits, in ten bins. */
export function calibration({ probabilities, outcomes }: MarketInputs) {
  const [counts, sums, hits] = [new Float64Array(10), new Float64Array(10), new Float64Array(10)];
  for (let row = 0; row < probabilities.length; row += 1) {
    const bin = Math.min(9, Math.floor((probabilities[row] as number) * 10));
    counts[bin] = (counts[bin] as number) + 1;
    sums[bin] = (sums[bin] as number) + (probabilities[row] as number);
    hits[bin] = (hits[bin] as number) + (outcomes[row] as number);
  }
  return [counts, sums, hits];
}

/** The score, and the bins of its decomposition. */
export function brierScore(inputs: MarketInputs) {
  const { probabilities, outcomes } = inputs;
  let squares = 0;
  for (let row = 0; row < probabilities.length; row += 1) {
    squares += ((probabilities[row] as number) - (outcomes[row] as number)) ** 2;
  }
  return [squares / probabilities.length, calibration(inputs)];
}

/** Mean surprise. */
export function logLoss({ probabilities, outcomes }: MarketInputs) {
  let loss = 0;
  for (let row = 0; row < probabilities.length; row += 1) {
    const probability = probabilities[row] as number;
    loss -= Math.log(outcomes[row] === 1 ? probability : 1 - probability);
  }
  return loss / probabilities.length;
}

/** Four sums, the deepest fall and the active days of each wallet; the rows are in order of time. */
export function trackRecord({ wallets, sums, days }: MarketInputs) {
  const totals = Array.from({ length: 8 }, () => new Float64Array(5000));
  const [, , , , peak, depth, active, last] = totals as [
    Float64Array,
    Float64Array,
    Float64Array,
    Float64Array,
    Float64Array,
    Float64Array,
    Float64Array,
    Float64Array,
  ];
  const places = new Map<string, number>();
  for (let row = 0; row < wallets.length; row += 1) {
    const wallet = places.get(wallets[row] as string) ?? places.size;
    places.set(wallets[row] as string, wallet);
    for (let at = 0; at < 4; at += 1) {
      const total = totals[at] as Float64Array;
      total[wallet] = (total[wallet] as number) + ((sums[at] as Float64Array)[row] as number);
    }
    const soFar = (totals[0] as Float64Array)[wallet] as number;
    if (soFar > (peak[wallet] as number)) peak[wallet] = soFar;
    const fall = (peak[wallet] as number) - soFar;
    if (fall > (depth[wallet] as number)) depth[wallet] = fall;
    if (last[wallet] !== (days[row] as number) + 1) active[wallet] = (active[wallet] as number) + 1;
    last[wallet] = (days[row] as number) + 1;
  }
  return totals;
}
