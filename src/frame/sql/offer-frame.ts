import { ColumnError } from '../../base/errors.js';
import { columnsOf } from '../columns-of.js';
import type { MomentForm } from '../files/moment-form.js';
import type { Tabular } from '../tabular.js';
import { type PlainVector, plainVector } from '../vector/plain-vector.js';
import { lengthOf } from '../vector/vector.js';
import { vectorsOf } from '../vector/vectors-of.js';
import type { Engine } from './engine.js';
import { type Feed, feedOf, fillWith } from './feed.js';
import { namesAlike } from './names-alike.js';
import { offerScan, type ScanColumn } from './offer-scan.js';
import { quoteName } from './quote.js';

/** How a frame is offered to the database. */
export interface OfferOptions {
  /** Where the frame goes, for errors. Default: `SQL`. */
  readonly to?: 'SQL' | 'Parquet';
  /** Called with the number of rows that the database has taken, each time it takes some. */
  onRows?: ((rows: number) => void) | undefined;
}

/** A frame that the database can read. */
export interface OfferedFrame {
  readonly rows: number;
  /** Form of the moments of each column that became a DATE or TIMESTAMP. */
  readonly moments: readonly (MomentForm | undefined)[];
}

/**
 * Makes a frame readable as a view with a name. Only the words of text columns are copied in advance; the database
 * takes rows, of only the columns that a statement reads, while it runs.
 *
 * @throws {ColumnError} If the frame has no column, one that mixes types, or two whose names differ only by case, which
 * SQL does not tell apart.
 */
export async function offerFrame(
  engine: Engine,
  name: string,
  frame: Tabular,
  options: OfferOptions = {},
): Promise<OfferedFrame> {
  const vectors = checkedVectors(
    options.to === 'Parquet' ? 'The frame' : `The frame "${name}"`,
    options.to ?? 'SQL',
    frame,
  );
  const columns = columnsOf(frame);
  const feeds = vectors.map((vector, at) => feedOf(engine.duckdb, vector, columns[at]?.dtype ?? 'string'));
  const rows = vectors[0] ? lengthOf(vectors[0]) : 0;
  const scan = `oddslab scan of ${name}`;
  const plain: ScanColumn[] = feeds.map((feed, at) => ({ name: `c${at}`, ...feed }));
  offerScan(engine, scan, plain, rows, options.onRows);
  const expressions: string[] = [];
  for (const [at, feed] of feeds.entries()) {
    const value = feed.words ? await numberedText(engine, `${name}.${at}`, feed, `c${at}`) : feed.sql(`c${at}`);
    expressions.push(`${value} AS ${quoteName(frame.columns[at] ?? '')}`);
  }
  await engine.connection.run(
    `CREATE TEMP VIEW ${quoteName(name)} AS SELECT ${expressions.join(', ')} FROM ${quoteName(scan)}()`,
  );
  return { rows, moments: feeds.map(({ moments }) => moments) };
}

function checkedVectors(subject: string, to: string, frame: Tabular): PlainVector[] {
  if (frame.columns.length === 0) throw new ColumnError(`${subject} has no column: ${to} needs one at least.`);
  if (frame.columns.includes(''))
    throw new ColumnError(`${subject} has a column without a name, which ${to} cannot say: name it.`);
  const alike = namesAlike(frame.columns);
  if (alike) {
    throw new ColumnError(
      `${subject} has the columns "${alike[0]}" and "${alike[1]}", which ${to === 'SQL' ? 'SQL does' : 'readers of Parquet do'} not tell apart: rename one.`,
    );
  }
  return vectorsOf(frame).map((vector, at) => plainVector(frame.columns[at] ?? '', vector));
}

/** Puts the words of a column into a list; the text of a row is the list's entry at its number. */
async function numberedText(engine: Engine, name: string, { words = [] }: Feed, plain: string): Promise<string> {
  const { VARCHAR, INTEGER } = engine.duckdb;
  const scan = `oddslab words of ${name}`;
  const columns: ScanColumn[] = [
    { name: 'place', type: INTEGER, fill: fillWith((place) => place) },
    { name: 'word', type: VARCHAR, fill: fillWith((place) => words[place] ?? null) },
  ];
  offerScan(engine, scan, columns, words.length);
  const table = quoteName(`oddslab list of ${name}`);
  await engine.connection.run(
    `CREATE TEMP TABLE ${table} AS SELECT list(word ORDER BY place) AS words FROM ${quoteName(scan)}()`,
  );
  return `CASE WHEN ${plain} >= 0 THEN (SELECT words FROM ${table})[${plain} + 1] END`;
}
