import { StringDecoder } from 'node:string_decoder';

/**
 * Sends what the process writes to `process.stdout` and `process.stderr`, so also by `console`, to a function instead.
 */
export function captureStreams(onText: (name: 'stdout' | 'stderr', text: string) => void): void {
  for (const name of ['stdout', 'stderr'] as const) {
    const decoder = new StringDecoder('utf8');
    const write = (chunk: string | Uint8Array, encoding?: unknown, callback?: unknown): boolean => {
      const text = typeof chunk === 'string' ? chunk : decoder.write(Buffer.from(chunk));
      if (text !== '') onText(name, text);
      const done = typeof encoding === 'function' ? encoding : callback;
      if (typeof done === 'function') process.nextTick(() => done());
      return true;
    };
    process[name].write = write;
  }
}
