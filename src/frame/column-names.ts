import { UsageError } from '../base/errors.js';
import type { Tabular } from './tabular.js';

/**
 * The names of a frame's columns. Every function that reads a frame asks for them first, so this is where values that
 * are no frames are refused.
 *
 * @throws {UsageError} If the value is no frame; the message says how to get one.
 */
export function columnNames(frame: Tabular): readonly string[] {
  const given: Partial<Tabular> | null | undefined = frame;
  if (Array.isArray(given?.columns) && Array.isArray(given.shape)) return given.columns;
  throw new UsageError(`This needs a frame, but ${mistakeOf(frame)}`);
}

function mistakeOf(given: unknown): string {
  if (Array.isArray(given)) return 'got an array: frameFromRecords([], records) makes a frame of an array of records.';
  if (typeof given !== 'object' || given === null)
    return `got ${given === null ? 'null' : `a value of type ${typeof given}`}.`;
  if ('then' in given) return 'got a Promise of something: await it, as in await lab.pnl({ wallet }).frame().';
  if ('frame' in given)
    return 'got a query, which asks for nothing by itself: ask it for .frame(), as in await lab.pnl({ wallet }).frame().';
  return 'got an object without columns or shape: await lab.pnl({ wallet }).frame() answers a frame, and await readCsv() does.';
}
