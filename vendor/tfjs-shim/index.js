'use strict';

const { Tensor, toNumber } = require('./tensor.js');
const { ArrayDataset } = require('./dataset.js');

/** Rows of nested arrays as one flat list; throws where the rows differ in length. */
function flattenRows(rows, width) {
  const flat = [];
  for (const row of rows) {
    if (row.length !== width) {
      throw new Error(`A row has ${row.length} values where the first has ${width}: rows must be of equal length.`);
    }
    for (const value of row) flat.push(value);
  }
  return flat;
}

/** A tensor without dimensions. */
function scalar(value, dtype = 'float32') {
  return new Tensor([value], [], dtype);
}

/** A vector; with dtype `string` the values stay as they are. */
function tensor1d(values, dtype = 'float32') {
  return new Tensor(Array.from(values), [values.length], dtype);
}

/** A matrix from rows, or from a flat list and its shape. */
function tensor2d(values, shape, dtype = 'float32') {
  const nested = Array.isArray(values[0]) || ArrayBuffer.isView(values[0]);
  if (!nested && !shape) {
    if (values.length === 0) return new Tensor([], [0, 0], dtype);
    throw new Error('A flat list of values needs a shape: give [rows, columns].');
  }
  const size = shape ?? [values.length, values[0].length];
  return new Tensor(nested ? flattenRows(values, size[1]) : Array.from(values), size, dtype);
}

/** Mean and population variance along an axis. */
function moments(tensor, axis) {
  const mean = tensor.mean(axis);
  const deviation = axis === 1 && tensor.rank === 2 ? tensor.transpose().sub(mean).transpose() : tensor.sub(mean);
  return { mean, variance: deviation.mul(deviation).mean(axis) };
}

module.exports = {
  Tensor,
  scalar,
  tensor1d,
  tensor2d,
  moments,
  tensor: (values, shape, dtype) => {
    if (!Array.isArray(values)) return scalar(toNumber(values), dtype);
    if (Array.isArray(values[0]) || shape?.length === 2) return tensor2d(values, shape, dtype);
    return tensor1d(values, dtype);
  },
  data: { array: (items) => new ArrayDataset(items) },
};
