/** Texts shorter than this would strike out half of any message; no filter's value that tells anything is. */
const SHORTEST = 3;

/**
 * An error without what a request held, for the log: every text and number of the request's body is struck out of its
 * message, its stack and those of its causes.
 *
 * @returns A copy; the error itself stays as it is.
 */
export function struckOut(error: unknown, body: unknown): unknown {
  const words = [...wordsOf(body)].filter((word) => word.length >= SHORTEST).sort((a, b) => b.length - a.length);
  if (words.length === 0) return error;
  // In any case: ids are compared in lower case, whatever was sent.
  const pattern = new RegExp(words.map((word) => word.replace(/[\\^$.*+?()[\]{}|/-]/g, '\\$&')).join('|'), 'gi');
  const strike = (text: string) => text.replace(pattern, '…');
  const copyOf = (each: unknown): unknown => {
    if (!(each instanceof Error)) return typeof each === 'string' ? strike(each) : each;
    const copy = new Error(strike(each.message), each.cause === undefined ? {} : { cause: copyOf(each.cause) });
    copy.name = each.name;
    if (each.stack !== undefined) copy.stack = strike(each.stack);
    return copy;
  };
  return copyOf(error);
}

/** Values that the sender chose, as the endpoint may write them. */
function wordsOf(body: unknown): Set<string> {
  const words = new Set<string>();
  const visit = (value: unknown): void => {
    if (typeof value === 'object' && value !== null) for (const each of Object.values(value)) visit(each);
    else if (typeof value === 'string') for (const word of [value, ...value.split(',')]) words.add(word);
  };
  visit((body as { params?: unknown } | undefined)?.params);
  return words;
}
