import { knownOptions } from '../base/nearest.js';
import type { Column } from '../contract/definition.js';
import { frameFromVectors } from '../frame/danfo/frame-from-vectors.js';
import type { DataFrame } from '../frame/tabular/data-frame.js';
import type { Tabular } from '../frame/tabular/tabular.js';
import type { Vector } from '../frame/vector/vector.js';
import { amountsOf } from './records/amounts.js';
import { tablesOfGroups } from './records/by-group.js';
import type { KeyCells, Keys } from './records/grouped-rows.js';
import { sum } from './statistics/sums.js';

/** A row of {@link volumeDistribution}: the markets of one bin of sizes, and their shares of the whole. */
export interface VolumeDistributionRecord {
  low: number;
  high: number;
  markets: number;
  volume_total: number;
  share_of_markets: number;
  share_of_volume: number;
}

const COLUMNS = [
  { name: 'low', dtype: 'float64', unit: 'USD', nullable: false, meaning: 'Least volume of the bin, itself in it.' },
  { name: 'high', dtype: 'float64', unit: 'USD', nullable: false, meaning: 'Where the next bin begins.' },
  { name: 'markets', dtype: 'int32', unit: 'markets', nullable: false, meaning: 'Markets of the bin.' },
  { name: 'volume_total', dtype: 'float64', unit: 'USD', nullable: false, meaning: 'Their dollars together.' },
  {
    name: 'share_of_markets',
    dtype: 'float64',
    fraction: true,
    nullable: false,
    meaning: 'Of all markets, in [0, 1].',
  },
  {
    name: 'share_of_volume',
    dtype: 'float64',
    fraction: true,
    nullable: true,
    meaning: 'Of the dollars of all, in [0, 1].',
  },
] as const satisfies readonly Column[];

/**
 * How markets are distributed by size, on a logarithmic scale: bins begin at 1, 2 and 5 times each power of ten.
 *
 * A market is in the bin for which low ≤ volume_total < high. Markets without a trade have a bin of their own, from 0
 * to 0, which comes first and which a logarithmic axis cannot show.
 *
 * @param frame Market records: needs `volume_total`; rows without one are left out.
 * @param options.by A column such as `event_slug`, or a list of columns: the bins of each group, its keys first.
 * Default: all markets together.
 * @returns A row for each bin from that of the smallest market to that of the largest, including empty ones between;
 * dollars in USD, shares as fractions. `share_of_volume` is NaN where nothing was traded at all. No rows where there is
 * no market.
 * @throws {ColumnError} If `volume_total` is missing, not numeric, negative or infinite.
 * @example volumeDistribution(markets); // low, high, markets, volume_total, share_of_markets, share_of_volume
 */
export function volumeDistribution<const By extends string = never>(
  frame: Tabular,
  options: { readonly by?: Keys<By> } = {},
): DataFrame<KeyCells<By> & VolumeDistributionRecord> {
  knownOptions('volumeDistribution', options, ['by']);
  const { by } = options;
  if (by !== undefined) return tablesOfGroups('volumeDistribution', frame, by, COLUMNS, binVectors);
  return frameFromVectors<KeyCells<By> & VolumeDistributionRecord>(COLUMNS, binVectors(frame));
}

function binVectors(frame: Tabular): Vector[] {
  const dollars = amountsOf(frame, 'volume_total');
  const edges = edgesAround(dollars);
  const { counts, volumes } = sortIntoBins(dollars, edges);
  const [markets, volume] = [sum(counts), sum(volumes)];
  const columns = [
    Float64Array.of(0, ...edges.subarray(0, -1)),
    Float64Array.of(0, ...edges.subarray(1)),
    counts,
    volumes,
    counts.map((count) => count / markets),
    volumes.map((total) => total / volume),
  ];
  const untraded = (counts[0] as number) > 0 ? 0 : 1;
  return columns.map((values) => ({ kind: 'number', values: values.subarray(untraded) }));
}

/** The edge with an index: 1, 2 and 5 times each power of ten, in order; index 0 is the edge 1. */
function edgeAt(at: number): number {
  const decade = Math.floor(at / 3);
  // Parsing gives the double nearest to the decimal edge; a product would miss some by a bit.
  return Number(`${[1, 2, 5][at - 3 * decade]}e${decade}`);
}

/** The edges of all bins from the least amount above 0 to the greatest; a single one if no amount is above 0. */
function edgesAround(dollars: Float64Array): Float64Array {
  let least = Number.POSITIVE_INFINITY;
  let greatest = 0;
  for (let row = 0; row < dollars.length; row += 1) {
    const amount = dollars[row] as number;
    if (amount > 0 && amount < least) least = amount;
    if (amount > greatest) greatest = amount;
  }
  if (greatest === 0) return Float64Array.of(0);
  let at = 3 * Math.floor(Math.log10(least)) - 1;
  while (edgeAt(at + 1) <= least) at += 1;
  const edges = [edgeAt(at)];
  while ((edges.at(-1) as number) <= greatest) edges.push(edgeAt(at + edges.length));
  return Float64Array.from(edges);
}

/**
 * The number and the sum of the amounts in each bin. Bin 0 holds zeros, bin n begins at the nth edge. At most one edge
 * lies between two powers of two, so the exponent of an amount nearly determines its bin.
 */
function sortIntoBins(dollars: Float64Array, edges: Float64Array): { counts: Float64Array; volumes: Float64Array } {
  const firstBins = binsOfOctaves(edges);
  const halves = new Uint32Array(dollars.buffer, dollars.byteOffset, dollars.length * 2);
  const [counts, volumes] = [new Float64Array(edges.length), new Float64Array(edges.length)];
  const lost = new Float64Array(edges.length);
  for (let row = 0; row < dollars.length; row += 1) {
    const amount = dollars[row] as number;
    if (Number.isNaN(amount)) continue;
    let bin = amount === 0 ? 0 : (firstBins[(halves[2 * row + 1] as number) >>> 20] as number);
    while (bin > 0 && amount >= (edges[bin] as number)) bin += 1;
    counts[bin] = (counts[bin] as number) + 1;
    // The rounding error is carried along: a bin may hold a million markets.
    const total = volumes[bin] as number;
    const next = total + amount;
    const added = next - total;
    volumes[bin] = next;
    lost[bin] = (lost[bin] as number) + (total - (next - added)) + (amount - added);
  }
  return { counts, volumes: volumes.map((total, bin) => total + (lost[bin] as number)) };
}

/** The bin of the least double above 0 of each exponent. */
function binsOfOctaves(edges: Float64Array): Uint16Array {
  const bins = new Uint16Array(2048);
  for (let exponent = 0, bin = 1; exponent < bins.length; exponent += 1) {
    while (bin < edges.length - 1 && (edges[bin] as number) <= leastOf(exponent)) bin += 1;
    bins[exponent] = bin;
  }
  return bins;
}

function leastOf(exponent: number): number {
  // Doubles of exponent 0 are subnormal: they reach down to the least of all.
  return exponent === 0 ? Number.MIN_VALUE : 2 ** (exponent - 1023);
}
