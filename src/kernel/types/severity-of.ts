import type { Diagnostic } from './type-service.js';

/** TypeScript's numbers of what is doubtful or unknown rather than wrong: such code runs. */
const DOUBTFUL = new Set([
  1202, // `import a = require()`
  2664, // a declared module that is not there
  2665, // a declared module without types
  2695, // an unused left side of a comma
  2774, // a function, asked whether it is there
  2801, // a promise, asked whether it is there
  2839, // an object literal, compared
  2845, // NaN, compared
  2869, // ?? behind what is never nullish
  2870, // ?? behind what is always nullish
  2872, // always truthy
  2873, // always falsy
  2881, // ?? behind a ?? that is never nullish
  7005, // a variable without type, where a function reads it
  7006, // a parameter without type
  7008, // a member without type
  7010, // a function without type
  7011, // a function expression without type
  7013, // a constructor without type
  7016, // a package without types
  7019, // a rest parameter without type
  7022, // a variable whose type depends on itself
  7023, // a function whose type depends on itself
  7024, // the same of a function expression
  7031, // a destructured parameter without type
]);
const NO_MODULE = 2307;

/**
 * How bad it is what TypeScript says. Only errors keep a cell from running where types block: what is surely wrong. A
 * package that is not there is none: the run says how to install it.
 */
export function severityOf(code: number, message: string): Diagnostic['severity'] {
  const isPackage = code === NO_MODULE && !/module '(\.{0,2}\/|\w+:\/\/)/.test(message);
  return isPackage || DOUBTFUL.has(code) ? 'warning' : 'error';
}
