'use strict';

function checked(values, name) {
  if (!Array.isArray(values) || values.length === 0) {
    throw new Error(`Cannot calculate the ${name} of an empty array: give at least one value.`);
  }
  return values;
}

/** Arithmetic mean. */
function mean(values) {
  return checked(values, 'mean').reduce((sum, value) => sum + value, 0) / values.length;
}

/** The middle value, or the mean of the two middle ones; NaN where a value is NaN. */
function median(values) {
  if (checked(values, 'median').some(Number.isNaN)) return Number.NaN;
  const sorted = Float64Array.from(values).sort();
  const middle = sorted.length >> 1;
  return sorted.length % 2 === 1 ? sorted[middle] : (sorted[middle - 1] + sorted[middle]) / 2;
}

/** The most frequent values, in the order in which they were met first. */
function mode(values) {
  const counts = new Map();
  for (const value of checked(values, 'mode')) counts.set(value, (counts.get(value) ?? 0) + 1);
  let most = 0;
  for (const count of counts.values()) most = Math.max(most, count);
  return [...counts].filter(([, count]) => count === most).map(([value]) => value);
}

/** Sample variance (n − 1); 0 for a single value, NaN where that is NaN. */
function variance(values) {
  const centre = mean(checked(values, 'variance'));
  const squares = values.reduce((sum, value) => sum + (value - centre) ** 2, 0);
  return values.length === 1 ? squares : squares / (values.length - 1);
}

/** Sample standard deviation (n − 1); 0 for a single value. */
function std(values) {
  return Math.sqrt(variance(values));
}

module.exports = { mean, median, mode, variance, std };
