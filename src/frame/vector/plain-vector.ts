import { ColumnError } from '../../base/errors.js';
import { itemAt } from '../../base/item-at.js';
import { dateText } from './iso-time.js';
import { usedWords } from './text-vector.js';
import {
  type Cell,
  isBlank,
  isMissing,
  MISSING_MICROS,
  type MicrosVector,
  type MixedVector,
  type NumberVector,
  type TextVector,
  unitsOf,
  type Vector,
  vectorOfCells,
} from './vector.js';

/** A column whose values are all of one kind. */
export type PlainVector = Exclude<Vector, MixedVector>;

/** The integers from which on a double no longer holds each of them. */
const EXACT_LIMIT = 2n ** 53n;

/**
 * A vector of one kind: dates become ISO 8601 text; big integers doubles where all are below 2⁵³, else text, so that none
 * is rounded.
 *
 * @param name The column's, for the error.
 * @throws {ColumnError} If it mixes kinds of values, as of big integers that are too large for doubles with doubles, or
 * holds an invalid date.
 */
export function plainVector(name: string, vector: Vector): PlainVector {
  if (vector.kind !== 'mixed') return vector;
  const asText = vector.cells.some(isLarge) && bigIntegersOf(vector) !== undefined;
  const plain = vectorOfCells(vector.cells.map((cell, row) => plainCell(cell, asText, name, row)));
  if (plain.kind !== 'mixed') return plain;
  const kinds = [...new Set(plain.cells.filter((cell) => !isMissing(cell)).map((cell) => typeof cell))];
  throw new ColumnError(`The column "${name}" mixes ${kinds.join(' and ')} values: convert it to one kind first.`);
}

function plainCell(cell: Cell, asText: boolean, name: string, row: number): Cell {
  if (cell instanceof Date) return dateText(cell, name, row);
  if (typeof cell !== 'bigint') return cell;
  if (asText) return String(cell);
  return isLarge(cell) ? cell : Number(cell);
}

function isLarge(cell: Cell): boolean {
  return typeof cell === 'bigint' && (cell >= EXACT_LIMIT || cell <= -EXACT_LIMIT);
}

/**
 * The values of a column that holds big integers and nothing else, null where one is missing: {@link plainVector} may
 * make text of them, which has another order. Undefined for every other column.
 */
export function bigIntegersOf(vector: Vector): (bigint | null)[] | undefined {
  if (vector.kind !== 'mixed') return undefined;
  const integers: (bigint | null)[] = [];
  for (const cell of vector.cells) {
    if (typeof cell === 'bigint') integers.push(cell);
    else if (isMissing(cell)) integers.push(null);
    else return undefined;
  }
  return integers;
}

/** The values of a numeric vector as doubles, not copied where they are doubles already: never change them. */
export function doublesOf(vector: NumberVector | MicrosVector): Float64Array {
  return vector.kind === 'number' ? vector.values : Float64Array.from(vector.values, unitsOf);
}

/** A piece of a column: its values, or only how many are missing. */
interface Piece {
  readonly vector?: Vector | undefined;
  readonly rows: number;
}

/**
 * The vectors of one column in several frames, one after another; missing values where a piece has none. A piece
 * without a value takes the kind of the others.
 *
 * @param name The column's, for the error.
 * @throws {ColumnError} If the pieces are of several kinds.
 */
export function concatVectors(name: string, pieces: readonly Piece[]): Vector {
  const given = pieces.flatMap(({ vector }) => vector ?? []);
  if (given.length > 0 && given.every(({ kind }) => kind === 'mixed')) return concatMixed(pieces);
  const plain = pieces.map(({ vector, rows }) => ({ vector: vector && plainVector(name, vector), rows }));
  const kinds = [...new Set(plain.flatMap(({ vector }) => vector?.kind ?? []))];
  const [kind = 'text', ...others] = kinds.length > 1 ? kindsWithValues(kinds, plain) : kinds;
  if (others.length > 0) throw clash(name, [kind, ...others]);
  const fitting = plain.map(({ vector, rows }) => ({ vector: vector?.kind === kind ? vector : undefined, rows }));
  if (kind === 'text') return concatText(fitting);
  const total = fitting.reduce((sum, { rows }) => sum + rows, 0);
  if (kind === 'number') return { kind, values: fill(new Float64Array(total).fill(Number.NaN), fitting) };
  if (kind === 'boolean') return { kind, values: fill(new Int8Array(total).fill(-1), fitting) };
  return { kind, values: fill(new BigInt64Array(total).fill(MISSING_MICROS), fitting) };
}

const NAMES = { number: 'numbers', micros: 'exact amounts', text: 'text', boolean: 'booleans', mixed: 'mixed values' };

function clash(name: string, kinds: readonly Vector['kind'][]): ColumnError {
  const exact = kinds.includes('micros') && kinds.includes('number');
  const remedy = exact ? 'query both with { exact: true }, or neither' : 'convert one of them first';
  const [one, other] = kinds.map((kind) => NAMES[kind]);
  return new ColumnError(`The column "${name}" holds ${one} in one frame and ${other} in another: ${remedy}.`);
}

function kindsWithValues<Kind extends Vector['kind']>(kinds: readonly Kind[], pieces: readonly Piece[]): Kind[] {
  const found = kinds.filter((kind) => pieces.some(({ vector }) => vector?.kind === kind && !isBlank(vector)));
  return found.length > 0 ? found : kinds.slice(0, 1);
}

function concatMixed(pieces: readonly Piece[]): Vector {
  const cells = pieces.flatMap(({ vector, rows }) =>
    vector?.kind === 'mixed' ? vector.cells : new Array<null>(rows).fill(null),
  );
  return { kind: 'mixed', cells };
}

function fill<Values extends Float64Array | Int8Array | BigInt64Array>(to: Values, pieces: readonly Piece[]): Values {
  let at = 0;
  for (const { vector, rows } of pieces) {
    if (vector && 'values' in vector) (to as { set(from: unknown, at: number): void }).set(vector.values, at);
    at += rows;
  }
  return to;
}

/** Text in one dictionary: the pieces' own where they share one, else the words that their rows use. */
function concatText(pieces: readonly Piece[]): TextVector {
  const codes = new Int32Array(pieces.reduce((sum, { rows }) => sum + rows, 0)).fill(-1);
  const vectors = pieces.flatMap(({ vector }) => (vector?.kind === 'text' ? vector : []));
  const [first] = vectors;
  const shared = first?.distinct === true && vectors.every(({ words }) => words === first.words) ? first : undefined;
  const places = new Map<string, number>();
  let at = 0;
  for (const { vector, rows } of pieces) {
    if (vector?.kind === 'text') codes.set(shared ? vector.codes : recoded(vector, places), at);
    at += rows;
  }
  return { kind: 'text', codes, words: shared?.words ?? [...places.keys()], distinct: true };
}

/** Codes in another dictionary, which takes up the words that it lacks. */
function recoded(vector: TextVector, places: Map<string, number>): Int32Array {
  const { codes, words } = usedWords(vector);
  const codeOf = words.map((word) => {
    const place = places.get(word) ?? places.size;
    places.set(word, place);
    return place;
  });
  return codes.map((code) => (code < 0 ? -1 : itemAt(codeOf, code)));
}
