const INSPECT = Symbol.for('nodejs.util.inspect.custom');
const BOOKKEEPING = ['async_id_symbol', 'trigger_async_id_symbol', 'kResourceStore', 'destroyed'];

/** Keeps the properties by which Node tracks async contexts out of printed promises. */
export function printPromisesPlainly(): void {
  Object.defineProperty(Promise.prototype, INSPECT, {
    value: function (this: object) {
      for (const symbol of Object.getOwnPropertySymbols(this)) {
        if (!BOOKKEEPING.includes(symbol.description ?? '')) continue;
        Object.defineProperty(this, symbol, { enumerable: false });
      }
      // Returning the object itself makes `inspect` print it as usual.
      return this;
    },
    configurable: true,
    writable: true,
  });
}
