const INSPECT = Symbol.for('nodejs.util.inspect.custom');
const BOOKKEEPING = ['async_id_symbol', 'trigger_async_id_symbol', 'kResourceStore', 'destroyed'];

/**
 * Keeps what Node notes on each promise, so as to know which cell made it, out of what is printed of promises.
 */
export function printPromisesPlainly(): void {
  Object.defineProperty(Promise.prototype, INSPECT, {
    value: function (this: object) {
      for (const symbol of Object.getOwnPropertySymbols(this)) {
        if (!BOOKKEEPING.includes(symbol.description ?? '')) continue;
        Object.defineProperty(this, symbol, { enumerable: false });
      }
      // To `inspect`, this very object means: print it as ever.
      return this;
    },
    configurable: true,
    writable: true,
  });
}
