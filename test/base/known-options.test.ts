import { expect, it } from 'vitest';
import { UsageError } from '../../src/base/errors.js';
import { knownOptions } from '../../src/base/nearest.js';

it.each<[unknown, string]>([
  [null, 'The options of roiBy must be an object that names them (by, top); got null.'],
  [undefined, 'The options of roiBy must be an object that names them (by, top); got a value of type undefined.'],
  ['month', 'The options of roiBy must be an object that names them (by, top); got a value of type string.'],
  [['month'], 'The options of roiBy must be an object that names them (by, top); got a list.'],
  [() => 0, 'The options of roiBy must be an object that names them (by, top); got a value of type function.'],
  [{ by: 'month', tpo: 5 }, '"tpo" is no option of roiBy. Did you mean "top"?'],
  [{ granularity: '1d' }, '"granularity" is no option of roiBy. They are by, top.'],
])('refuses %j', (options, message) => {
  expect(() => knownOptions('roiBy', options, ['by', 'top'])).toThrow(new UsageError(message));
});

it('takes what there is, also undefined, and none', () => {
  expect(knownOptions('roiBy', { by: undefined, top: 5 }, ['by', 'top'])).toBeUndefined();
  expect(knownOptions('roiBy', Object.create(null), ['by'])).toBeUndefined();
});
