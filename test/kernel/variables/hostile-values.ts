/** What a value's own code would do if it ran. */
export function ran(): never {
  throw new Error('code of the value ran');
}

/** Every trap that a proxy can have. */
export const TRAPS: ProxyHandler<object> = Object.fromEntries(
  Object.getOwnPropertyNames(Reflect)
    .filter((name) => typeof Reflect.get(Reflect, name) === 'function')
    .map((name) => [name, ran]),
);

const HOOKS = ['Jupyter.display', 'oddslab.table', 'oddslab.own', 'nodejs.util.inspect.custom', 'react.element'];
const NAMES = ['toString', 'toJSON', 'toHTML', 'toSpec', 'node', 'nodes', 'valueOf', 'then', 'next', 'numRows'];
const SYMBOLS = [Symbol.iterator, Symbol.asyncIterator, Symbol.toPrimitive, Symbol.hasInstance, Symbol.species];

/** The methods by which a value shows, converts or gives itself, each of which fails when it runs. */
const METHODS = Object.fromEntries(
  [...HOOKS.map((name) => Symbol.for(name)), ...NAMES, ...SYMBOLS].map((key) => [key, { value: ran }]),
);
/** The same, and what is read of values, as getters. */
const GETTERS = Object.fromEntries(
  // An error has its trace written, by its name and message, when that is replaced.
  [
    'stack',
    'outerHTML',
    '$$typeof',
    '$schema',
    'height',
    'message',
    Symbol.toStringTag,
    ...Reflect.ownKeys(METHODS),
  ].map((key) => [key, { get: ran, configurable: true }]),
);
const BUILT_IN = ['constructor', 'name', 'length', 'size', 'source', 'flags', 'buffer', 'byteOffset', 'byteLength'];
const CALLED = ['entries', 'keys', 'values', 'forEach', 'getTime', 'toISOString', 'slice', 'map'];
/** What the classes of JavaScript give, as getters and methods. */
const REPLACED = {
  ...Object.fromEntries(BUILT_IN.map((key) => [key, { get: ran, configurable: true }])),
  ...Object.fromEntries(CALLED.map((key) => [key, { value: ran }])),
};

function withAll<Value extends object>(value: Value, ...all: PropertyDescriptorMap[]): Value {
  for (const properties of all) {
    for (const key of Reflect.ownKeys(properties)) {
      Reflect.defineProperty(value, key, Reflect.get(properties, key));
    }
  }
  return value;
}

function argumentsOf(..._: number[]): object {
  // biome-ignore lint/complexity/noArguments: they are what is wanted.
  return arguments;
}

function revoked(): object {
  const { proxy, revoke } = Proxy.revocable({}, {});
  revoke();
  return proxy;
}

/** Values of many kinds, all of whose code fails when it runs: their own, that of their class, and that of a proxy. */
export function hostileValues(): [name: string, value: object][] {
  const proxy = new Proxy({}, TRAPS);
  const made: [string, () => object][] = [
    ['object', () => ({})],
    ['array', () => [1, 2]],
    ['map', () => new Map([[1, 2]])],
    ['set', () => new Set([1])],
    ['typed array', () => new Float64Array(3)],
    ['bytes', () => new Uint8Array(30)],
    ['buffer', () => new ArrayBuffer(3)],
    ['date', () => new Date(0)],
    ['pattern', () => /a/],
    ['error', () => new TypeError('x')],
    ['boxed text', () => Object('x')],
    ['boxed number', () => Object(1)],
    ['function', () => (a: number) => a],
    ['class', () => class K {}],
    ['promise', () => Promise.resolve(1)],
    ['weak map', () => new WeakMap()],
    ['generator', () => (function* () {})()],
    ['arguments', () => argumentsOf(1, 2)],
  ];
  return [
    ['proxy', proxy],
    ['proxy of a function', new Proxy(ran, TRAPS)],
    ['proxy of an array', new Proxy([], TRAPS)],
    ['revoked proxy', revoked()],
    ['what inherits from a proxy', Object.create(proxy)],
    ['what holds proxies', { a: proxy, b: [proxy], c: new Map([[proxy, proxy]]), d: new Set([proxy]) }],
    ...made.flatMap(([name, make]): [string, object][] => [
      [`${name} with methods`, withAll(make(), METHODS, REPLACED)],
      [`${name} with getters`, withAll(make(), GETTERS, REPLACED)],
      [`${name} whose prototype has them`, Object.setPrototypeOf(make(), withAll({}, GETTERS, REPLACED))],
      [`${name} whose prototype is a proxy`, Object.setPrototypeOf(make(), proxy)],
    ]),
  ];
}

/** Values of a size at which reading them whole would take long. */
export const LARGE = {
  'an object of 300,000 keys': () => {
    const wide: Record<string, number> = {};
    for (let at = 0; at < 300_000; at += 1) wide[`k${at}`] = at;
    return wide;
  },
  'an object of 200,000 numbers as keys': () =>
    Object.fromEntries(Array.from({ length: 200_000 }, (_, at) => [at, at])),
  'an object of a million whole numbers as keys': () =>
    Object.assign(
      {},
      Array.from({ length: 1_000_000 }, (_, at) => at),
    ),
  'an object of 200,000 symbols as keys': () =>
    Object.fromEntries(Array.from({ length: 200_000 }, (_, at) => [Symbol(at), at])),
  'an object of 100,000 hidden keys': () =>
    Object.defineProperties(
      {},
      Object.fromEntries(Array.from({ length: 100_000 }, (_, at) => [`k${at}`, { value: at }])),
    ),
  'an array of ten million': () => new Array(10_000_000).fill(1),
  'a sparse array of four billion': () => Object.assign([], { [2 ** 32 - 2]: 1 }),
  'an array of bytes of a hundred million': () => new Uint8Array(100_000_000),
  'a map of a million': () => new Map(Array.from({ length: 1_000_000 }, (_, at) => [at, at])),
  'a set of a million': () => new Set(Array.from({ length: 1_000_000 }, (_, at) => at)),
  'a text of a hundred million characters': () => 'x'.repeat(100_000_000),
  'an object of ten thousand getters': () => {
    const property = { get: ran, enumerable: true };
    return Object.defineProperties(
      {},
      Object.fromEntries(Array.from({ length: 10_000 }, (_, at) => [`g${at}`, property])),
    );
  },
  'a class of ten thousand getters': () => {
    const getters = Array.from({ length: 10_000 }, (_, at) => `get g${at}() { throw new Error('ran'); }`);
    return new Function(`return class Wide { ${getters.join('\n')} }`)() as object;
  },
  'what lies a hundred thousand deep': () => {
    let nested: object = {};
    for (let at = 0; at < 100_000; at += 1) nested = { nested };
    return nested;
  },
} satisfies Record<string, () => object | string>;

/** The shortest time of some calls, in milliseconds: something else may have had the processor during the others. */
export function shortest(task: () => void): number {
  return Math.min(
    ...Array.from({ length: 5 }, () => {
      const began = performance.now();
      task();
      return performance.now() - began;
    }),
  );
}
