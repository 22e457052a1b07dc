import { ColumnError } from '../base/errors.js';
import { knownOptions } from '../base/nearest.js';
import type { Column } from '../contract/definition.js';
import { frameFromVectors, vectorsOfArrays } from '../frame/danfo/frame-from-vectors.js';
import type { DataFrame } from '../frame/tabular/data-frame.js';
import { plainColumn, type Tabular, textVector } from '../frame/tabular/tabular.js';
import { isBlank, lengthOf, type Vector } from '../frame/vector/vector.js';
import { tablesOfGroups } from './records/by-group.js';
import type { KeyCells, Keys } from './records/grouped-rows.js';
import { refuseConfidence, wilsonInterval } from './statistics/wilson-interval.js';

/** A row of {@link outcomeShares}: a label on one side, and how the markets that offer it ended. */
export interface OutcomeShareRecord {
  outcome: string | null;
  side: 'a' | 'b';
  markets: number;
  open: number;
  tied_or_unresolved: number;
  decided: number;
  wins: number;
  rate: number;
  low: number;
  high: number;
}

const MARKETS = { dtype: 'int32', unit: 'markets', nullable: false } as const;

const COLUMNS = [
  { name: 'outcome', dtype: 'string', nullable: true, meaning: 'Label of the outcome, such as Yes.' },
  { name: 'side', dtype: 'string', nullable: false, meaning: 'The side that has this label: a or b.' },
  { name: 'markets', ...MARKETS, meaning: 'Markets that offer it: open + tied_or_unresolved + decided.' },
  { name: 'open', ...MARKETS, meaning: 'Those that have not closed.' },
  { name: 'tied_or_unresolved', ...MARKETS, meaning: 'Those that closed without a winner.' },
  { name: 'decided', ...MARKETS, meaning: 'Those that closed with a winner.' },
  { name: 'wins', ...MARKETS, meaning: 'Those that it won.' },
  { name: 'rate', dtype: 'float64', fraction: true, nullable: true, meaning: 'wins / decided, in [0, 1].' },
  { name: 'low', dtype: 'float64', fraction: true, nullable: true, meaning: "Lower end of Wilson's interval." },
  { name: 'high', dtype: 'float64', fraction: true, nullable: true, meaning: "Upper end of Wilson's interval." },
] as const satisfies readonly Column[];

/**
 * How often each outcome wins, such as Yes or No, on the first side or the second, among the markets that offer it.
 *
 * rate = wins / decided, with its Wilson interval; markets = open + tied_or_unresolved + decided. A market record names
 * no winner while the market is unresolved, and none if it ended in a tie: the two look the same, and neither counts as
 * decided.
 *
 * @param frame Market records: needs `closed`, `side_a_outcome`, `side_b_outcome` and `winning_outcome`. A market whose
 * `closed` is missing counts as open.
 * @param options.confidence Confidence of the Wilson intervals, in (0, 1). Default 0.95.
 * @param options.by A column such as `event_slug`, or a list of columns: the rows of each group, its keys first.
 * Default: all markets together.
 * @returns A row for each label and side, most markets first, then by label and side. Each market counts in two rows,
 * one for each side: add up the rows of a side to compare sides. A missing label is null. Rates are NaN where nothing
 * was decided. No rows for a frame without rows.
 * @throws {ColumnError} If a column is missing or of the wrong kind.
 * @throws {UsageError} If an option is unknown, or the confidence is not between 0 and 1.
 * @see Wilson (1927), Probable inference, the law of succession, and statistical inference.
 * @example outcomeShares(markets).head(2); // Yes on side a, No on side b
 * @example groupBy(outcomeShares(markets), 'side').rollup({ wins: sum('wins'), decided: sum('decided') });
 */
export function outcomeShares<const By extends string = never>(
  frame: Tabular,
  options: { readonly confidence?: number; readonly by?: Keys<By> } = {},
): DataFrame<KeyCells<By> & OutcomeShareRecord> {
  knownOptions('outcomeShares', options, ['confidence', 'by']);
  const { confidence = 0.95, by } = options;
  refuseConfidence(confidence);
  const tableOf = (rows: Tabular) => shareVectors(rows, confidence);
  if (by !== undefined) return tablesOfGroups('outcomeShares', frame, by, COLUMNS, tableOf);
  return frameFromVectors<KeyCells<By> & OutcomeShareRecord>(COLUMNS, tableOf(frame));
}

function shareVectors(frame: Tabular, confidence: number): Vector[] {
  const closed = flagsOf(frame, 'closed');
  const labels = new Map<string, number>();
  const winners = labelsOf(frame, 'winning_outcome', labels);
  const sides = (['a', 'b'] as const).map((side) => ({
    side,
    offered: labelsOf(frame, `side_${side}_outcome`, labels),
  }));
  const names = [null, ...labels.keys()];
  const records = sides.flatMap(({ side, offered }) =>
    countsOf(offered, winners, closed, names.length).map(({ label, ...counts }) => ({
      outcome: names[label] ?? null,
      side,
      ...counts,
      rate: counts.wins / counts.decided,
      ...wilsonInterval(counts.wins, counts.decided, confidence),
    })),
  );
  records.sort((a, b) => b.markets - a.markets || compare(a.outcome, b.outcome) || compare(a.side, b.side));
  return vectorsOfArrays(
    COLUMNS,
    COLUMNS.map(({ name }) => records.map((record) => record[name])),
  );
}

/** A column of labels: the code of each row, -1 for none, and the number of each label, at its code plus 1. */
interface Labels {
  readonly codes: Int32Array;
  readonly numbers: Int32Array;
}

/** Numbers labels from 1, the same in all columns; 0 means no label. */
function labelsOf(frame: Tabular, name: string, labels: Map<string, number>): Labels {
  const { codes, words } = textVector(frame, name, 'labels of outcomes');
  const numbers = new Int32Array(words.length + 1);
  for (let code = 0; code < words.length; code += 1) {
    const word = words[code] ?? null;
    // A danfo frame has missing values among its words.
    if (word === null) continue;
    const known = labels.get(word) ?? labels.size + 1;
    labels.set(word, known);
    numbers[code + 1] = known;
  }
  return { codes, numbers };
}

const KINDS = { boolean: 'booleans', number: 'numbers', micros: 'amounts', text: 'text' } as const;

function flagsOf(frame: Tabular, name: string): Int8Array {
  const vector = plainColumn(frame, name);
  if (vector.kind === 'boolean') return vector.values;
  if (isBlank(vector)) return new Int8Array(lengthOf(vector)).fill(-1);
  throw new ColumnError(`The column "${name}" holds ${KINDS[vector.kind]}, but true and false are needed.`);
}

/** The fates of the markets that offer each label; a market whose `closed` is missing counts as open. */
function countsOf(offered: Labels, winners: Labels, closed: Int8Array, labels: number) {
  const fates = new Float64Array(4 * labels);
  for (let row = 0; row < closed.length; row += 1) {
    const label = offered.numbers[(offered.codes[row] as number) + 1] as number;
    const winner = winners.numbers[(winners.codes[row] as number) + 1] as number;
    const fate = closed[row] !== 1 ? OPEN : winner === 0 ? UNRESOLVED : winner === label ? WON : LOST;
    fates[4 * label + fate] = (fates[4 * label + fate] as number) + 1;
  }
  const rows = Array.from({ length: labels }, (_, label) => {
    const [open, unresolved, lost, wins] = [OPEN, UNRESOLVED, LOST, WON].map(
      (fate) => fates[4 * label + fate] as number,
    );
    const decided = (lost as number) + (wins as number);
    return { label, open: open as number, tied_or_unresolved: unresolved as number, decided, wins: wins as number };
  });
  return rows
    .map((row) => ({ ...row, markets: row.open + row.tied_or_unresolved + row.decided }))
    .filter(({ markets }) => markets > 0);
}

const [OPEN, UNRESOLVED, LOST, WON] = [0, 1, 2, 3] as const;

function compare(a: string | null, b: string | null): number {
  if (a === b) return 0;
  if (a === null || b === null) return a === null ? 1 : -1;
  return a < b ? -1 : 1;
}
