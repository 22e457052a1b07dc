/** The parts of TypeScript's library beyond ES2023, and whether this Node.js has what they declare. */
const PARTS = {
  'es2024.arraybuffer': 'resize' in ArrayBuffer.prototype,
  'es2024.collection': 'groupBy' in Map,
  'es2024.object': 'groupBy' in Object,
  'es2024.promise': 'withResolvers' in Promise,
  'es2024.regexp': 'unicodeSets' in RegExp.prototype,
  'es2024.sharedmemory': 'waitAsync' in Atomics,
  'es2024.string': 'isWellFormed' in String.prototype,
  'es2025.collection': 'union' in Set.prototype,
  'es2025.float16': 'Float16Array' in globalThis,
  'es2025.intl': 'DurationFormat' in Intl,
  'es2025.iterator': 'Iterator' in globalThis,
  'es2025.promise': 'try' in Promise,
  'es2025.regexp': 'escape' in RegExp,
  'esnext.array': 'fromAsync' in Array,
  'esnext.collection': 'getOrInsert' in Map.prototype,
  'esnext.date': 'toTemporalInstant' in Date.prototype,
  // The types that `using` needs come from @types/node, so that it can be written everywhere.
  'esnext.disposable': 'DisposableStack' in globalThis,
  'esnext.error': 'isError' in Error,
  'esnext.sharedmemory': 'pause' in Atomics,
  'esnext.temporal': 'Temporal' in globalThis,
  'esnext.typedarrays': 'fromBase64' in Uint8Array,
};

/**
 * The parts of TypeScript's library that describe what this Node.js, which also runs the cells, supports. A part that
 * it supports only partly counts, so that nothing that runs is refused.
 *
 * @example engineLibrary() // ['es2023', 'es2024.arraybuffer', …]
 */
export function engineLibrary(): string[] {
  return ['es2023', ...Object.entries(PARTS).flatMap(([part, isThere]) => (isThere ? [part] : []))];
}
