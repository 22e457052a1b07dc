'use strict';

/** A cell as a double: booleans are 0 and 1; null, undefined and blank text are NaN. */
function toNumber(value) {
  if (typeof value === 'number') return value;
  if (value === null || value === undefined) return Number.NaN;
  if (typeof value === 'string' && value.trim() === '') return Number.NaN;
  return Number(value);
}

function sizeOf(shape) {
  return shape.reduce((product, length) => product * length, 1);
}

/** Rows and columns of a shape, seen as a matrix: a vector is one row, a scalar one cell. */
function matrixShape(shape) {
  if (shape.length === 0) return [1, 1];
  return shape.length === 1 ? [1, shape[0]] : shape;
}

function broadcastLength(left, right) {
  if (left === right || right === 1) return left;
  if (left === 1) return right;
  throw new Error(`Shapes do not fit each other: ${left} against ${right}. Lengths must be equal, or one of them 1.`);
}

/** The remainder with the divisor's sign. */
function floorMod(x, y) {
  const rest = x % y;
  return rest !== 0 && rest < 0 !== y < 0 ? rest + y : rest;
}

/** A scalar, vector or matrix of doubles, immutable, row by row. */
class Tensor {
  constructor(values, shape, dtype = 'float32') {
    if (values.length !== sizeOf(shape)) {
      throw new Error(`${values.length} values do not fill the shape [${shape}], which takes ${sizeOf(shape)}.`);
    }
    this.shape = shape;
    this.rank = shape.length;
    this.size = values.length;
    this.dtype = dtype;
    this.values = dtype === 'string' || values instanceof Float64Array ? values : Float64Array.from(values, toNumber);
  }

  /** Applies a function of two numbers to each pair of cells, stretching lengths of 1. */
  combine(other, operation) {
    const right = other instanceof Tensor ? other : new Tensor([other], []);
    const [rowsA, columnsA] = matrixShape(this.shape);
    const [rowsB, columnsB] = matrixShape(right.shape);
    const rows = broadcastLength(rowsA, rowsB);
    const columns = broadcastLength(columnsA, columnsB);
    const out = new Float64Array(rows * columns);
    for (let row = 0, at = 0; row < rows; row += 1) {
      const startA = rowsA === 1 ? 0 : row * columnsA;
      const startB = rowsB === 1 ? 0 : row * columnsB;
      for (let column = 0; column < columns; column += 1, at += 1) {
        const a = this.values[columnsA === 1 ? startA : startA + column];
        out[at] = operation(a, right.values[columnsB === 1 ? startB : startB + column]);
      }
    }
    const rank = Math.max(this.rank, right.rank);
    return new Tensor(out, rank === 2 ? [rows, columns] : rank === 1 ? [columns] : []);
  }

  /** Folds an axis away; without an axis, all values into a scalar. */
  reduce(axis, fold) {
    if (axis === undefined || this.rank < 2) return new Tensor([fold(this.values)], []);
    const source = axis === 0 ? this.transpose() : this;
    const [rows, columns] = source.shape;
    const out = new Float64Array(rows);
    for (let row = 0; row < rows; row += 1) out[row] = fold(source.values.subarray(row * columns, (row + 1) * columns));
    return new Tensor(out, [rows]);
  }

  /** The position of the first value before which none is better, NaN left out. */
  position(isBetter) {
    if (this.dtype === 'string') throw new Error('Text has no greatest or least number: convert the values first.');
    let found = -1;
    for (let at = 0; at < this.size; at += 1) {
      const value = this.values[at];
      if (found < 0 ? !Number.isNaN(value) : isBetter(value, this.values[found])) found = at;
    }
    return new Tensor([found], [], 'int32');
  }

  add(other) {
    return this.combine(other, (a, b) => a + b);
  }
  sub(other) {
    return this.combine(other, (a, b) => a - b);
  }
  mul(other) {
    return this.combine(other, (a, b) => a * b);
  }
  div(other) {
    return this.combine(other, (a, b) => a / b);
  }
  /** Division that answers 0 where the divisor is 0. */
  divNoNan(other) {
    return this.combine(other, (a, b) => (b === 0 ? 0 : a / b));
  }
  pow(other) {
    return this.combine(other, (a, b) => a ** b);
  }
  mod(other) {
    return this.combine(other, floorMod);
  }

  greater(other) {
    return this.combine(other, (a, b) => Number(a > b));
  }
  less(other) {
    return this.combine(other, (a, b) => Number(a < b));
  }
  greaterEqual(other) {
    return this.combine(other, (a, b) => Number(a >= b));
  }
  lessEqual(other) {
    return this.combine(other, (a, b) => Number(a <= b));
  }
  equal(other) {
    return this.combine(other, (a, b) => Number(a === b));
  }
  notEqual(other) {
    return this.combine(other, (a, b) => Number(a !== b));
  }

  /** The greatest value; NaN where one is NaN. */
  max(axis) {
    return this.reduce(axis, (values) => values.reduce((a, b) => Math.max(a, b), Number.NEGATIVE_INFINITY));
  }
  /** The least value; NaN where one is NaN. */
  min(axis) {
    return this.reduce(axis, (values) => values.reduce((a, b) => Math.min(a, b), Number.POSITIVE_INFINITY));
  }
  /** The position of the first greatest value that is not NaN; -1 where there is none. */
  argMax() {
    return this.position((value, best) => value > best);
  }
  /** The position of the first least value that is not NaN; -1 where there is none. */
  argMin() {
    return this.position((value, best) => value < best);
  }
  sum(axis) {
    return this.reduce(axis, (values) => values.reduce((a, b) => a + b, 0));
  }
  mean(axis) {
    return this.reduce(axis, (values) => values.reduce((a, b) => a + b, 0) / values.length);
  }
  sqrt() {
    return new Tensor(this.values.map(Math.sqrt), this.shape);
  }

  transpose() {
    if (this.rank < 2) return this;
    const [rows, columns] = this.shape;
    const out = new Float64Array(this.size);
    for (let row = 0; row < rows; row += 1) {
      for (let column = 0; column < columns; column += 1)
        out[column * rows + row] = this.values[row * columns + column];
    }
    return new Tensor(out, [columns, rows]);
  }

  clone() {
    return new Tensor(this.values.slice(), this.shape.slice(), this.dtype);
  }

  /** The values in row order. */
  dataSync() {
    return this.values;
  }

  /** A number, a list or a list of rows, as the rank says; always fresh arrays. */
  arraySync() {
    if (this.rank === 0) return this.values[0];
    if (this.rank === 1) return Array.from(this.values);
    const [rows, columns] = this.shape;
    return Array.from({ length: rows }, (_, row) => Array.from(this.values.slice(row * columns, (row + 1) * columns)));
  }

  array() {
    return Promise.resolve(this.arraySync());
  }

  toString() {
    return `Tensor ${JSON.stringify(this.arraySync())}`;
  }

  /** Nothing to free: the values are ordinary memory. */
  dispose() {}
}

module.exports = { Tensor, toNumber };
