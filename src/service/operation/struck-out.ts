/** Shorter texts are left: they would strike out half of any message, and no telling filter value is so short. */
const SHORTEST = 3;

/**
 * Strikes the texts of a request's filters out of an error, for the log: out of its message, its stack and those of its
 * causes.
 *
 * @returns A copy; the error itself stays unchanged.
 */
export function struckOut(error: unknown, body: unknown): unknown {
  const words = [...wordsOf(body)].filter((word) => word.length >= SHORTEST).sort((a, b) => b.length - a.length);
  if (words.length === 0) return error;
  // Ignoring case, as ids are compared in lower case, however they were sent.
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

/** The texts that the sender chose, whole and by their parts between commas, as messages may quote either. */
function wordsOf(body: unknown): Set<string> {
  const words = new Set<string>();
  const visit = (value: unknown): void => {
    if (typeof value === 'object' && value !== null) for (const each of Object.values(value)) visit(each);
    else if (typeof value === 'string') for (const word of [value, ...value.split(',')]) words.add(word);
  };
  visit((body as { params?: unknown } | undefined)?.params);
  return words;
}
