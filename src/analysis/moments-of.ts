import { ColumnError } from '../base/errors.js';
import type { Tabular } from '../frame/tabular.js';
import { textVector } from '../frame/vector/plain-vector.js';
import { parseIso } from './parse-iso.js';

/**
 * The moments of a date column, in milliseconds since 1970, from ISO 8601 text or dates; NaN where one is missing. A
 * date alone is midnight UTC.
 *
 * @throws {ColumnError} If the column is missing or holds no text, or a date cannot be read.
 */
export function momentsOf(frame: Tabular, name: string): Float64Array {
  const { codes, words } = textVector(frame, name, 'dates such as 2026-01-31');
  const moments = new Float64Array(codes.length);
  // Text that rows share is parsed once. If each row has its own text, a cache would only take memory.
  const known = new Float64Array(words.length < codes.length ? words.length : 0).fill(Number.NaN);
  for (let row = 0; row < codes.length; row += 1) {
    const code = codes[row] as number;
    let moment = code >= 0 && code < known.length ? (known[code] as number) : Number.NaN;
    if (code >= 0 && Number.isNaN(moment)) {
      moment = parseIso(words[code] as string);
      if (Number.isNaN(moment)) refuse(name, words[code] as string, row);
      if (code < known.length) known[code] = moment;
    }
    moments[row] = moment;
  }
  return moments;
}

function refuse(name: string, text: string, row: number): never {
  throw new ColumnError(
    `The column "${name}" holds ${JSON.stringify(text)} in row ${row}, counted from 0; it needs a date such as 2026-01-31.`,
  );
}
