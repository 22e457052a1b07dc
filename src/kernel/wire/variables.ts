import type { MimeBundle } from './runner.js';

/** A variable of the cells, or a part of a value, described in words; fields beyond `value` only where they hold. */
export interface Variable {
  name: string;
  /** `number`, `string`, `function`, or the class: `Map`. Empty if the time ran out before it was looked at. */
  type: string;
  /** The value in one short line, or its shape: `42`, `Map(3)`, `DataFrame 821 × 9`. */
  value: string;
  /** By which its parts are asked for; 0 if it has none. */
  reference: number;
  /** Whether the name was imported. */
  isImport?: true;
  /** Whether a `table` question shows it row by row. */
  isTable?: true;
}

/** Which part of a table is asked for. */
export interface TableRequest {
  /** The variable's name. */
  name: string;
  /** The first row, from 0, of those that are left by the filter, in the order asked for. */
  from: number;
  count: number;
  /** Default: the rows as they come. */
  sort?: { column: string; descending: boolean };
  /** A text that any cell contains, or a comparison: `pnl > 5`. Default: all rows. */
  filter?: string;
}

/** A part of a table, its cells as they are shown; a missing value is an empty text. */
export interface TablePage {
  columns: { name: string; type: string }[];
  rows: string[][];
  /** The same cells with nothing shortened or rounded. */
  whole: string[][];
  /** The place of each of these rows in the value, from 0. */
  positions: number[];
  /** Rows of the whole value. */
  total: number;
  /** Rows that the filter leaves. */
  matched: number;
  /** Why the filter leaves none, where it does: what the column that it compares holds. */
  why?: string;
}

/** What the process of the cells can be asked about their variables. */
export type Question =
  | { about: 'names' }
  /** The parts of a value; `count` of them from the one at `from`. */
  | { about: 'parts'; reference: number; from: number; count: number }
  /** The value as a cell that ends in it would show it. */
  | { about: 'picture'; name: string }
  | ({ about: 'table' } & TableRequest);

/** The answer to each question. */
interface Answers {
  names: Variable[];
  parts: Variable[];
  picture: MimeBundle;
  table: TablePage;
}

/** What came of a question; `busy` if a cell computes without pause, `lost` if no process is there to be asked. */
export type Answered<About extends Question['about'] = Question['about']> =
  | { status: 'ok'; answer: Answers[About] }
  | { status: 'refused'; message: string }
  | { status: 'busy' }
  | { status: 'lost' };
