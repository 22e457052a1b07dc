import { UsageError } from '../../base/errors.js';
import type { ParameterShape } from '../../kernel/parameters/parameter-shape.js';
import { fitValue } from './fit-value.js';
import type { ParameterValue } from './parameter-value.js';

/**
 * Converts a text from the command line to the value of a parameter. A parameter of type string takes the text as it
 * is; for other types, a text that is JSON is read as JSON.
 *
 * @param name How errors call the parameter.
 * @param onUnchecked See `fitValue`.
 * @throws {UsageError} If the parameter does not take the text.
 * @example valueFromText('007', { kind: 'string' }, 'id'); // '007'
 */
export function valueFromText(
  text: string,
  shape: ParameterShape,
  name: string,
  onUnchecked: () => void = () => {},
): ParameterValue {
  if (shape.kind === 'string') return text;
  const read = readingOf(text);
  // The text is a list or an object in JSON, so an error can name the part that does not fit.
  if (typeof read === 'object' && read !== null && !takesText(shape)) return fitValue(read, shape, name, onUnchecked);
  for (const data of read === undefined ? [text] : [read, text]) {
    try {
      return fitValue(data, shape, name, onUnchecked);
    } catch (error) {
      if (data === text) throw withRemedy(error, shape, name);
    }
  }
  throw new UsageError(`${name} cannot be ${text}.`);
}

/** Undefined if the text is not JSON, or holds a number that JavaScript would round or that is too large for it. */
function readingOf(text: string): unknown {
  const isRounded = /^[+-]?\d+$/.test(text) && !Number.isSafeInteger(Number(text));
  if (isRounded) return undefined;
  if (/^[+-]?(\d+\.?\d*|\.\d+)(e[+-]?\d+)?$/i.test(text) && !/^[+-]?0\d/.test(text)) {
    return Number.isFinite(Number(text)) ? Number(text) : undefined;
  }
  try {
    return JSON.parse(text, finite);
  } catch {
    return undefined;
  }
}

/** @throws {RangeError} If a number is so large that it became infinite. */
function finite(_: string, part: unknown): unknown {
  if (typeof part !== 'number' || Number.isFinite(part)) return part;
  throw new RangeError('No number is that large.');
}

function takesText(shape: ParameterShape): boolean {
  return shape.kind === 'string' || shape.kind === 'pattern' || (shape.kind === 'union' && shape.of.some(takesText));
}

function withRemedy(error: unknown, shape: ParameterShape, name: string): unknown {
  const example = { array: `["a","b"]`, tuple: `["a",1]`, object: `{"a":1}` }[shape.kind as string];
  if (!(error instanceof UsageError) || !example) return error;
  return new UsageError(`${error.message} Write it as JSON, quoted for the shell: -p '${name}=${example}'`);
}
