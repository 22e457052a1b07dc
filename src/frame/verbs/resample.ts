import { UsageError } from '../../base/errors.js';
import { itemAt } from '../../base/item-at.js';
import { knownOptions } from '../../base/nearest.js';
import { isoOfSeconds } from '../../contract/time.js';
import { frameFromVectors } from '../danfo/frame-from-vectors.js';
import type { CellOf, ColumnName, ColumnNameOf, DataFrame } from '../tabular/data-frame.js';
import { takeVector } from '../vector/take-vector.js';
import { TextCollector } from '../vector/text-vector.js';
import { bucketColumn, periodsOf, secondsOf, timesOf } from './bucket-by.js';
import {
  type BucketPeriod,
  type Calendar,
  calendarOf,
  nextPeriod,
  shortestSeconds,
  type WeekStart,
} from './calendar.js';
import { keyColumns, keyNames, type MeasureFor, type MeasureOf, namedValues } from './group-by.js';
import { checkMeasure } from './measure.js';
import { rowGroups } from './row-groups.js';
import { refuseTooMany } from './row-limit.js';
import { refuseDouble } from './row-runs.js';

/** Options of `resample`. */
export interface ResampleOptions<Time extends string, Key extends string, Measured> {
  /** The column of times. It becomes that of the periods' first moments. */
  readonly column: Time;
  readonly period: BucketPeriod;
  /** Measures by the names of their columns, as `rollup` takes them. */
  readonly measures: Measured;
  /** The column or columns whose values divide the rows into groups, each with periods of its own. Default: one group. */
  readonly by?: Key | readonly Key[];
  /** The first day, `YYYY-MM-DD`, from which `3 days` counts. Default: the first day of the column. */
  readonly from?: string;
  /** The time zone in whose days, hours and so on the periods are. Default `UTC`. */
  readonly zone?: string;
  /** The day on which weeks start; only for the period `week`. Default `monday`. */
  readonly weekStart?: WeekStart;
}

type Measures<Row extends object> = Readonly<Record<string, MeasureFor<Row>>>;

/** A row of a period. */
type ResampledRow<Row extends object, Time extends string, Key extends string, Measured> = {
  [Name in Key]: CellOf<Row, Name>;
} & { [Name in Time]: string } & { [Name in keyof Measured]: MeasureOf<Row, Measured[Name]> };

/**
 * One row for each calendar period from the first to the last of each group, also for those in which nothing was: there
 * sums and counts are 0, and other measures missing. `bucketBy` and `groupBy` give the periods that have rows alone.
 *
 * @returns The keys, the first moment of the period as ISO 8601 text in UTC, then a column a measure; groups in the order
 * in which they first appear, periods in order of time. Rows without a time are left out.
 * @throws {ColumnError} If the frame lacks a column, a value is not a time, or two columns would have one name.
 * @throws {UsageError} If an option is missing or unknown, a value is no measure, there is no such period, zone or day of
 * the week, or there would be more rows than half of this machine's memory holds.
 * @example resample(pnl, { column: 'date', period: 'week', by: 'proxy_wallet', measures: { pnl: sum('pnl') } });
 */
export function resample<
  Row extends object,
  const Time extends ColumnNameOf<Row, string | Date>,
  const Measured extends Measures<Row>,
  const Key extends ColumnName<Row> = never,
>(
  frame: DataFrame<Row>,
  options: ResampleOptions<Time, Key, Measured>,
): DataFrame<ResampledRow<Row, Time, Key, Measured>> {
  knownOptions('resample', options, ['column', 'period', 'measures', 'by', 'from', 'zone', 'weekStart'], {
    from: 'text',
  });
  const { column: name, period, by = [], from, zone, weekStart } = options;
  if (options.measures === undefined)
    throw new UsageError("resample needs measures: { …, measures: { pnl: sum('pnl') } }.");
  const named = namedValues(options.measures, "resample(frame, { …, measures: { pnl: sum('pnl') } })");
  const keys = keyNames('by of resample', by);
  refuseDouble([...keys, name, ...named.map(([as]) => as)]);
  const calendar = calendarOf(period, zone, weekStart);
  const groups = rowGroups(frame, keys);
  const times = timesOf(frame, name);
  const { starts, first } = periodsOf(calendar, secondsOf(name, times), from);
  const startOf = Float64Array.from(times.codes, (code) => (code < 0 ? Number.NaN : (starts[code] as number)));
  const spans = spansOf(groups.groupOf, groups.groups, startOf);
  const places = new Places(calendar, first, spans);
  const many = spans.reduce((total, span) => total + (span ? places.between(span[0], span[1]) : 0), 0);
  refuseTooMany('The result of resample', many, 8 * (keys.length + 1 + named.length), 'choose a longer period');
  const offsets = offsetsOf(spans, places);
  // The rows without a time are in a group behind all others, which is left out.
  const groupOf = Uint32Array.from(groups.groupOf, (group, row) => {
    const start = startOf[row] as number;
    return Number.isNaN(start)
      ? many
      : (offsets[group] as number) + places.between(itemAt(spans, group)?.[0] ?? 0, start) - 1;
  });
  const cells = { groupOf, groups: many + 1, firstRows: new Uint32Array(many + 1) };
  const whole = Uint32Array.from({ length: many }, (_, at) => at);
  const measured = named.map(([as, measure]) => {
    checkMeasure(`measures.${as}`, measure);
    const vector = takeVector(measure.measure(frame, cells), whole);
    return { column: { name: as, ...measure.describe(frame, vector) }, vector };
  });
  const [owner, moments] = [new Uint32Array(many), new TextCollector<string>(many)];
  let at = 0;
  for (const [group, span] of spans.entries()) {
    if (!span) continue;
    for (let start = span[0]; start <= span[1]; start = places.after(start)) {
      owner[at] = group;
      moments.add(isoOfSeconds(start));
      at += 1;
    }
  }
  const owners = keyColumns(frame, keys, groups).map(({ column, vector }) => ({
    column,
    vector: takeVector(vector, owner),
  }));
  const bucket = { column: bucketColumn(calendar, name, name, false), vector: moments.vector() };
  const columns = [...owners, bucket, ...measured];
  return frameFromVectors(
    columns.map(({ column }) => column),
    columns.map(({ vector }) => vector),
    frame,
  );
}

/** The first and the last period of a group, by their starts; undefined if no row has a time. */
type Span = readonly [first: number, last: number] | undefined;

function spansOf(groupOf: Uint32Array, groups: number, startOf: Float64Array): Span[] {
  const spans: Span[] = new Array(groups).fill(undefined);
  for (let row = 0; row < groupOf.length; row += 1) {
    const start = startOf[row] as number;
    if (Number.isNaN(start)) continue;
    const group = groupOf[row] as number;
    const [least, greatest] = spans[group] ?? [start, start];
    spans[group] = [Math.min(least, start), Math.max(greatest, start)];
  }
  return spans;
}

function offsetsOf(spans: readonly Span[], places: Places): Float64Array {
  const offsets = new Float64Array(spans.length);
  let many = 0;
  for (const [group, span] of spans.entries()) {
    offsets[group] = many;
    if (span) many += places.between(span[0], span[1]);
  }
  return offsets;
}

/** Most periods that are worth listing: hours of 500 years, days of 10,000. */
const MOST_PERIODS = 5_000_000;

/** All periods from the first of any group to the last, numbered. */
class Places {
  readonly #starts: number[] = [];
  readonly #places = new Map<number, number>();

  constructor(calendar: Calendar, first: number, spans: readonly Span[]) {
    const known = spans.flatMap((span) => (span ? [span] : []));
    const last = known.reduce((most, span) => Math.max(most, span[1]), Number.NEGATIVE_INFINITY);
    let start = known.reduce((least, span) => Math.min(least, span[0]), Number.POSITIVE_INFINITY);
    if ((last - start) / shortestSeconds(calendar.period) > MOST_PERIODS) {
      throw new UsageError(
        `resample would make more than ${MOST_PERIODS} periods: choose a longer one than "${calendar.period}".`,
      );
    }
    for (; start <= last; start = nextPeriod(calendar, start, first)) {
      this.#places.set(start, this.#starts.push(start) - 1);
    }
  }

  /** How many periods there are from one start to another, both counted. */
  between(from: number, to: number): number {
    return this.#placeOf(to) - this.#placeOf(from) + 1;
  }

  /** The start of the next period; infinite behind the last. */
  after(start: number): number {
    return this.#starts[this.#placeOf(start) + 1] ?? Number.POSITIVE_INFINITY;
  }

  #placeOf(start: number): number {
    return this.#places.get(start) ?? 0;
  }
}
