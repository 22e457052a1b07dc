import type { Diagnostic } from './type-service.js';

/** TypeScript's numbers of what is doubtful or unknown rather than wrong: such code runs. */
const DOUBTFUL = new Set([
  1202, // `import a = require()`
  2664, // a declared module that does not exist
  2665, // a declared module without types
  2695, // an unused left side of a comma
  2774, // a function tested as a condition
  2801, // a promise tested as a condition
  2839, // comparison with an object literal
  2845, // comparison with NaN
  2869, // ?? after what is never nullish
  2870, // ?? after what is always nullish
  2872, // always truthy
  2873, // always falsy
  2881, // ?? after a ?? that is never nullish
  7005, // a variable without type, read by a function
  7006, // a parameter without type
  7008, // a member without type
  7010, // a function without type
  7011, // a function expression without type
  7013, // a constructor without type
  7016, // a package without types
  7019, // a rest parameter without type
  7022, // a variable whose type depends on itself
  7023, // a function whose type depends on itself
  7024, // a function expression whose type depends on itself
  7031, // a destructured parameter without type
]);
const NO_MODULE = 2307;

/**
 * How severe a diagnostic is. Where types block, only errors keep a cell from running: what is certainly wrong. A
 * missing package is not an error, since the run says how to install it.
 */
export function severityOf(code: number, message: string): Diagnostic['severity'] {
  const isPackage = code === NO_MODULE && !/module '(\.{0,2}\/|\w+:\/\/)/.test(message);
  return isPackage || DOUBTFUL.has(code) ? 'warning' : 'error';
}
