import type { DataFrame } from '../tabular/data-frame.js';
import type { Cell } from '../vector/vector.js';

/** The text of a query with its line ends as blanks. */
type OneLine<Text extends string> = Text extends `${infer Before}\n${infer After}`
  ? OneLine<`${Before} ${After}`>
  : Text;

type Trimmed<Text extends string> = Text extends ` ${infer Rest}`
  ? Trimmed<Rest>
  : Text extends `${infer Rest} `
    ? Trimmed<Rest>
    : Text;

/** The list between SELECT and the first FROM, and what stands behind that. */
type Parts<Sql extends string> =
  Trimmed<OneLine<Sql>> extends `${'SELECT' | 'select'} ${infer List} ${'FROM' | 'from'} ${infer Rest}`
    ? [list: Trimmed<List>, rest: Trimmed<Rest>]
    : never;

/** What may stand behind a table that is the only one. */
type Clause = `${'WHERE' | 'ORDER BY' | 'LIMIT' | 'GROUP BY' | 'HAVING' | 'QUALIFY'} ${string}`;

/** The table behind FROM, where it is one alone. */
type TableOf<Rest extends string> = Rest extends `${infer Name} ${infer More}`
  ? Uppercase<Trimmed<More>> extends Clause
    ? Name
    : never
  : Rest;

/** Of a list, the names that stand alone between commas: whatever is computed or named anew is none. */
type NamedIn<List extends string, Name> = List extends `${infer First},${infer Rest}`
  ? Extract<Trimmed<First>, Name> | NamedIn<Rest, Name>
  : Extract<Trimmed<List>, Name>;

/** The columns that pass through, beside others that only the answer shows. */
type Beside<Row extends object> = [keyof Row] extends [never] ? object : Row & { readonly [Name in string]: Cell };

type Selected<List extends string, Row extends object> = List extends '*'
  ? Row
  : Beside<Pick<Row, NamedIn<List, keyof Row>>>;

type RowOf<Frame> = Frame extends DataFrame<infer Row> ? Row : object;

/**
 * The row type of a query's answer, as far as its text shows it: the columns of one table that are selected by their own
 * names, or all by `SELECT *`, are what they are in the table. What is computed may be any cell. Nothing is known of
 * joins, of queries in queries, and of text that is not written out.
 */
export type PassedRow<Sql extends string, Frames> =
  Parts<Sql> extends [infer List extends string, infer Rest extends string]
    ? TableOf<Rest> extends infer Table extends keyof Frames
      ? [Table] extends [never]
        ? object
        : Selected<List, RowOf<Frames[Table]>>
      : object
    : object;
