import { type InspectOptions, inspect, types } from 'node:util';

const LAYOUT: InspectOptions = { colors: false, breakLength: 120 };
const SHALLOWEST = 2;
const DEEPEST = 6;
/** Greatest length of a text that is printed deeper than by default. */
const ENOUGH = 4000;
const CUT_OFF = /\[(?:Array|Object|Map|Set|[A-Z$_][\w$]*)[^\]\n]*\]/;
/** A trace line of a call in Node, a package or the runner; a brace after it opens the error's properties. */
const FOREIGN_CALL =
  /\n +at [^\n]*(?:\bnode:|[\\/]node_modules[\\/]|[\\/]dist[\\/](?:kernel|chunks)[\\/])[^\n]*?( \{)?(?=\n|$)/g;

/**
 * A value as Node prints it, but as deep as a text of moderate length allows, so that nested values are seen where Node
 * prints `[Object]`. For an error, only the calls in the user's own files are printed.
 *
 * @throws Whatever the value's own inspect method throws.
 */
export function inspectValue(value: unknown): string {
  if (types.isNativeError(value)) return withOwnCalls(inspect(value, LAYOUT));
  let text = inspect(value, LAYOUT);
  for (let depth = SHALLOWEST + 1; depth <= DEEPEST && text.length < ENOUGH && CUT_OFF.test(text); depth++) {
    const deeper = inspect(value, { ...LAYOUT, depth });
    if (deeper.length > ENOUGH) break;
    text = deeper;
  }
  return text;
}

/** Removes calls outside the user's own files from what Node prints of errors. */
export function withOwnCalls(text: string): string {
  return text.replace(FOREIGN_CALL, '$1');
}
