import { Console } from 'node:console';
import { StringDecoder } from 'node:string_decoder';

/**
 * Redirects what the process writes to `process.stdout` and `process.stderr`, including by `console`, to `onText`.
 * `console.clear()` calls `onClear`.
 */
export function captureStreams(onText: (name: 'stdout' | 'stderr', text: string) => void, onClear: () => void): void {
  for (const name of ['stdout', 'stderr'] as const) {
    const decoder = new StringDecoder('utf8');
    const write = (chunk: string | Uint8Array, encoding?: unknown, callback?: unknown): boolean => {
      const isText = typeof chunk === 'string' && !isOtherEncoding(encoding);
      const text = isText ? chunk : decoder.write(bytesOf(chunk, encoding));
      if (text !== '') onText(name, text);
      const done = typeof encoding === 'function' ? encoding : callback;
      if (typeof done === 'function') process.nextTick(() => done());
      return true;
    };
    process[name].write = write;
  }
  printWithoutInspector();
  // Node's own clears only terminals.
  console.clear = onClear;
}

function isOtherEncoding(encoding: unknown): encoding is BufferEncoding {
  return typeof encoding === 'string' && !/^utf-?8$/i.test(encoding) && Buffer.isEncoding(encoding);
}

function bytesOf(chunk: string | Uint8Array, encoding: unknown): Buffer {
  if (typeof chunk !== 'string') return Buffer.from(chunk);
  return Buffer.from(chunk, isOtherEncoding(encoding) ? encoding : 'utf8');
}

/**
 * Makes `console` print directly: with an inspector connected, as here, each call is reported there, too, at ten times
 * the cost.
 */
function printWithoutInspector(): void {
  const { stdout, stderr } = process;
  const plain = new Console({ stdout, stderr, ignoreErrors: false, colorMode: false });
  for (const [name, method] of Object.entries(plain)) {
    if (typeof method === 'function' && name in console) Reflect.set(console, name, method);
  }
}
