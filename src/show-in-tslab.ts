/** The object that the tslab kernel (1.0) gives its cells. */
interface Tslab {
  /** What cells have declared. A cell's last expression is assigned to `tsLastExpr`, which tslab then prints. */
  exports: object;
  require: NodeJS.Require;
}

/** The module of tslab that communicates with Jupyter. */
interface TslabJupyter {
  /** Sends a display of the running cell. */
  lastWriteDisplayData: ((content: object, isUpdate: boolean) => void) | null;
  ZmqServer: { prototype: { publishStatus(status: string, parent: unknown): void } };
}

type Write = NonNullable<TslabJupyter['lastWriteDisplayData']>;

const DISPLAY = Symbol.for('Jupyter.display');
const ATTACHED = Symbol.for('oddslab.shown-in-tslab');

/**
 * Makes the tslab kernel show the last value of a cell by its method `Symbol.for('Jupyter.display')`, as other kernels
 * do. Without this, tslab prints every value as text. Does nothing in any other process, or in a tslab that is built
 * differently.
 */
export function showInTslab(): void {
  const tslab = Reflect.get(globalThis, '__tslab__') as Tslab | undefined;
  const jupyter = tslab && jupyterOf(tslab);
  if (!tslab || !jupyter || ATTACHED in tslab) return;
  Object.defineProperty(tslab, ATTACHED, { value: true });
  const drawing = new Set<Promise<void>>();
  holdIdle(jupyter, drawing);
  let last: unknown;
  const accessor = {
    get: () => last,
    set(value: unknown) {
      const write = jupyter.lastWriteDisplayData;
      const isShown = write !== null && typeof Reflect.get(Object(value), DISPLAY) === 'function';
      last = isShown ? undefined : value;
      if (!isShown) return;
      const drawn = show(value, write).finally(() => drawing.delete(drawn));
      drawing.add(drawn);
    },
  };
  // On the prototype, since tslab turns accessors of the exports themselves into values. A value that the importing cell
  // has already set would hide it, so that is deleted.
  Reflect.deleteProperty(tslab.exports, 'tsLastExpr');
  Object.setPrototypeOf(tslab.exports, Object.create(Object.prototype, { tsLastExpr: accessor }));
}

function jupyterOf({ require }: Tslab): TslabJupyter | undefined {
  const path = Object.keys(require.cache).find((name) => /[\\/]tslab[\\/]dist[\\/]jupyter\.js$/.test(name));
  const module = path === undefined ? undefined : (require.cache[path]?.exports as Partial<TslabJupyter> | undefined);
  const isKnown = typeof module?.ZmqServer?.prototype.publishStatus === 'function' && 'lastWriteDisplayData' in module;
  return isKnown ? (module as TslabJupyter) : undefined;
}

/** Delays the status `idle`, which ends a cell, until everything is drawn; later displays would be lost. */
function holdIdle({ ZmqServer: { prototype } }: TslabJupyter, drawing: ReadonlySet<Promise<void>>): void {
  const publish = prototype.publishStatus;
  prototype.publishStatus = function (status, parent) {
    if (status !== 'idle' || drawing.size === 0) publish.call(this, status, parent);
    else void Promise.all(drawing).then(() => publish.call(this, status, parent));
  };
}

async function show(value: unknown, write: Write): Promise<void> {
  try {
    const bundle: object = await Reflect.apply(Reflect.get(Object(value), DISPLAY), value, []);
    const data = Object.entries(bundle).map(([type, part]) => [type, part instanceof Uint8Array ? base64(part) : part]);
    write({ data: Object.fromEntries(data), metadata: {}, transient: {} }, false);
  } catch (error) {
    console.error(error);
  }
}

function base64(bytes: Uint8Array): string {
  return Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString('base64');
}
