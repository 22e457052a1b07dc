import timers from 'node:timers';

const INSPECT = Symbol.for('nodejs.util.inspect.custom');
const TRACKING = ['async_id_symbol', 'trigger_async_id_symbol', 'kResourceStore', 'destroyed'];

/** Keeps the properties by which Node tracks async contexts out of printed promises. */
export function printPromisesPlainly(): void {
  Object.defineProperty(Promise.prototype, INSPECT, {
    value: function (this: object) {
      for (const symbol of Object.getOwnPropertySymbols(this)) {
        if (!TRACKING.includes(symbol.description ?? '')) continue;
        Object.defineProperty(this, symbol, { enumerable: false });
      }
      // Returning the object itself makes `inspect` print it as usual.
      return this;
    },
    configurable: true,
    writable: true,
  });
}

/** Node code that must run to its end: ending it midway would corrupt its state, and Node would abort. */
export const NODE_BOOKKEEPING = /^node:(internal\/)?(async_hooks|timers|process\/|async_local_storage)/;
/** Node code that loads another part of Node, which would stay half loaded for ever. */
export const BUILTIN_LOADER = 'node:internal/bootstrap/realm';
/** Node code that loads modules. */
export const MODULE_LOADERS = /^node:internal\/modules\//;
/** Of these, what loads ES modules, also on behalf of `import` of a CommonJS package: it remembers what it has begun. */
export const ES_MODULE_LOADERS = /^node:internal\/modules\/esm\//;
/** Node code that reads the files of ES modules; it never keeps the event loop from its next turn. */
export const MODULE_READER = 'node:internal/fs/promises';
/** Node code that calls one callback after another and must learn of the end of each. */
export const TIMER_CALLER = /^node:internal\/timers/;
/** Node code that runs between two such callbacks. */
export const BETWEEN_CALLBACKS = /^node:internal\/process\/task_queues/;

export const setImmediateOfNode = setImmediate;

/**
 * Empties Node's stack of async contexts. Code must exit each level in turn; terminated code does not, and Node would
 * abort. Node's handling of an uncaught exception empties the stack; the `setImmediate` that it then calls must not
 * count as work of a cell.
 */
export function forgetAsyncContexts(): void {
  const recover: unknown = Reflect.get(process, '_fatalException');
  if (typeof recover !== 'function' || process.hasUncaughtExceptionCaptureCallback()) return;
  const { setImmediate: ofCells } = timers;
  timers.setImmediate = setImmediateOfNode;
  process.setUncaughtExceptionCaptureCallback(() => {});
  Reflect.apply(recover, process, ['interrupt', false]);
  process.setUncaughtExceptionCaptureCallback(null);
  timers.setImmediate = ofCells;
}
