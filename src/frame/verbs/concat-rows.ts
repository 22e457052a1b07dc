import type { Column } from '../../contract/definition.js';
import { frameFromVectors } from '../danfo/frame-from-vectors.js';
import { columnsOf, unitOfColumn } from '../tabular/columns-of.js';
import type { DataFrame } from '../tabular/data-frame.js';
import { inheritProvenance } from '../tabular/provenance.js';
import { type Tabular, vectorsOf } from '../tabular/tabular.js';
import { concatVectors } from '../vector/plain-vector.js';
import { isBlank, type Vector } from '../vector/vector.js';

type NameIn<Row> = Row extends unknown ? keyof Row : never;
type ValueIn<Row, Name> = Row extends unknown ? (Name extends keyof Row ? Row[Name] : null) : never;
type UntypedIn<Row> = Row extends unknown ? ([keyof Row] extends [never] ? true : never) : never;

type Union<Row extends object> = [UntypedIn<Row>] extends [never]
  ? { [Name in NameIn<Row>]: ValueIn<Row, Name> }
  : object;

/**
 * The row of several frames together: every column of any of them, null where a frame lacks it. Of an array of frames
 * of one row type, that type.
 */
export type UnitedRow<Rows extends readonly object[]> = number extends Rows['length']
  ? Rows[number]
  : Union<Rows[number]>;

interface Part {
  readonly columns: ReadonlyMap<string, { readonly column: Column; readonly vector: Vector }>;
  readonly rows: number;
}

/**
 * The rows of any number of frames, one frame after another. Columns are united by name, in the order in which they
 * first appear. If a frame lacks a column, its values are missing. A column without any value takes the type that it
 * has in the other frames. Dtype, unit and meaning are those of the first frame that has the column; a unit on which
 * frames differ is dropped.
 *
 * @returns A new frame; without frames, one without columns.
 * @throws {ColumnError} If a column holds one kind of values in one frame and another kind in another: text and
 * numbers, or exact amounts and doubles.
 * @example concatRows(...pages);
 */
export function concatRows<const Rows extends readonly object[]>(
  ...frames: { readonly [At in keyof Rows]: DataFrame<Rows[At]> }
): DataFrame<UnitedRow<Rows>> {
  return rowsOfAll(frames) as unknown as DataFrame<UnitedRow<Rows>>;
}

/** The rows of frames put together, however many frames there are. */
function rowsOfAll(sources: readonly Tabular[]): DataFrame {
  const parts = sources.map(partOf);
  const names = [...new Set(sources.flatMap(({ columns }) => columns))];
  const columns = names.map((name) => unitedColumn(name, parts));
  const vectors = names.map((name) =>
    concatVectors(
      name,
      parts.map((part) => ({ vector: part.columns.get(name)?.vector, rows: part.rows })),
    ),
  );
  const united = frameFromVectors(columns, vectors);
  inheritProvenance(sources, united);
  return united;
}

function partOf(frame: Tabular): Part {
  const described = columnsOf(frame);
  const entries = vectorsOf(frame).flatMap((vector, at) => {
    const column = described[at];
    return column ? [[column.name, { column, vector }] as const] : [];
  });
  return { columns: new Map(entries), rows: frame.shape[0] ?? 0 };
}

function unitedColumn(name: string, parts: readonly Part[]): Column {
  const found = parts.flatMap((part) => part.columns.get(name) ?? []);
  const telling = found.filter(({ vector }) => !isBlank(vector));
  const known = (telling.length > 0 ? telling : found).map(({ column }) => column);
  const [first] = known;
  if (first === undefined) return { name, dtype: 'string', nullable: true, meaning: '' };
  const dtypes = new Set(known.map(({ dtype }) => dtype));
  const nullable =
    found.some(({ column }) => column.nullable) || parts.some((part) => part.rows > 0 && !part.columns.has(name));
  const { unit, fraction, ...rest } = first;
  const united = dtypes.size === 1 ? first.dtype : dtypes.has('float64') ? 'float64' : 'string';
  const agreed = known.every((column) => column.unit === unit && column.fraction === fraction)
    ? unitOfColumn(first)
    : {};
  return { ...rest, ...agreed, dtype: united, nullable };
}
