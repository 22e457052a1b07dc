import { readFileSync } from 'node:fs';
import { LineIndex } from '../line-index.js';
import { placeError } from './error-places.js';
import type { Namespace } from './import-package.js';
import type { SourceRegistry } from './source-registry.js';

/**
 * The exports of a JSON file: its value as default and, as in TypeScript, an object's properties.
 *
 * @param name The file's name in traces.
 * @throws {SyntaxError} If it is not JSON, with its place.
 */
export function readJsonModule(path: string, name: string, registry: SourceRegistry): Namespace {
  const source = readFileSync(path, 'utf8');
  try {
    const whole: unknown = JSON.parse(source);
    return { ...(typeof whole === 'object' && !Array.isArray(whole) ? whole : {}), default: whole };
  } catch (cause) {
    registry.add(path, { name, source, position: (position) => position });
    const reason = cause instanceof Error ? cause.message.replace(SURPLUS, '') : String(cause);
    const error = new SyntaxError(`${name} is no JSON: ${reason}`);
    placeError(error, { name, ...new LineIndex(source).position(faultAt(source, 0, source.length)) });
    throw error;
  }
}

/** The parts of V8's message that are shown in another way: the place and the code around it. */
const SURPLUS = /(?: in JSON)? at position .*|, (?:\.\.\.)?"[\s\S]*/;

/** The offset at which a text stops being the beginning of JSON, which V8 does not always tell. */
function faultAt(source: string, from: number, to: number): number {
  if (from >= to) return from;
  const middle = Math.floor((from + to) / 2);
  return isBeginning(source.slice(0, middle + 1)) ? faultAt(source, middle + 1, to) : faultAt(source, from, middle);
}

function isBeginning(text: string): boolean {
  try {
    JSON.parse(text);
    return true;
  } catch (error) {
    const [, position] = /at position (\d+)/.exec(String(error)) ?? [];
    return position === undefined
      ? /^SyntaxError: (Unexpected end|Unterminated)/.test(String(error))
      : Number(position) >= text.length;
  }
}
