import { inspect } from 'node:util';
import type { MimeBundle } from '../events.js';

const DISPLAY = Symbol.for('Jupyter.display');

/**
 * How a value is shown: as its own method `Symbol.for('Jupyter.display')` says, which may be async, with bytes as
 * base64; otherwise as Node prints it.
 *
 * @returns Undefined for undefined, which is not shown.
 * @throws Whatever the value's own method throws.
 */
export async function mimeBundle(value: unknown): Promise<MimeBundle | undefined> {
  if (value === undefined) return undefined;
  const own = await ownBundle(value);
  return { data: own ?? { 'text/plain': inspect(value) }, metadata: {} };
}

async function ownBundle(value: unknown): Promise<Record<string, unknown> | undefined> {
  if (value === null || (typeof value !== 'object' && typeof value !== 'function')) return undefined;
  const method: unknown = Reflect.get(value, DISPLAY);
  if (typeof method !== 'function') return undefined;
  const bundle: unknown = await Reflect.apply(method, value, []);
  if (typeof bundle !== 'object' || bundle === null || Object.keys(bundle).length === 0) return undefined;
  const entries = Object.entries(bundle).map(([type, part]) => [type, isBytes(part) ? base64(part) : part]);
  return Object.fromEntries(entries) as Record<string, unknown>;
}

function isBytes(part: unknown): part is Uint8Array {
  return part instanceof Uint8Array;
}

function base64(bytes: Uint8Array): string {
  return Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString('base64');
}
