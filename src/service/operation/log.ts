import type { DataState } from '../stores.js';
import type { RequestLine } from './request-line.js';
import type { Settings } from './settings/settings.js';

/** The service's log on stderr, a line an event. */
export interface Log {
  request(line: RequestLine): void;
  /** A failure that is ours, with the request that met it. */
  failure(error: unknown, requestId: string): void;
  /** Another data version is served, or something is wrong with the data. */
  data(state: DataState): void;
  /** Settles once all of it is written. */
  end(): Promise<void>;
}

/** How a line is written: by its level, its name and what it tells. */
type Write = (level: 'info' | 'error', name: string, told: Readonly<Record<string, unknown>>) => void;

const LEVELS: Readonly<Record<Settings['logLevel'], readonly string[]>> = {
  info: ['info', 'error'],
  error: ['error'],
  silent: [],
};

/**
 * Opens the log: JSON lines, or lines for reading where stderr is a terminal.
 *
 * @param options.level What is logged: everything, failures alone, or nothing.
 */
export function openLog({ level }: { level: Settings['logLevel'] }): Log {
  const { write, end } = process.stderr.isTTY ? terminalLines() : jsonLines();
  const tell: Write = (of, name, told) => {
    if (LEVELS[level].includes(of)) write(of, name, told);
  };
  return {
    request: (line) => tell(line.status >= 500 ? 'error' : 'info', 'request', { ...line }),
    failure: (error, id) => tell('error', 'failure', { id, error: textOf(error) }),
    data: ({ served, current, problem }) =>
      tell(problem === undefined ? 'info' : 'error', 'data', { served, current, problem }),
    end,
  };
}

/** Bytes that wait for a slow reader; what comes beyond is dropped, as memory must not grow with it. */
const MOST_WAITING_BYTES = 1 << 24;

/** How long the last lines may take to be written. */
const LAST_LINES_MS = 1000;

/** By pino, which loads once there is a line to write, and off the start's path. */
function jsonLines(): { write: Write; end: () => Promise<void> } {
  let early: Parameters<Write>[] | undefined = [];
  let loading: ReturnType<typeof openPino> | undefined;
  let ready: Write | undefined;
  const load = async () => {
    loading ??= openPino();
    const { write, end } = await loading;
    for (const line of early ?? []) write(...line);
    early = undefined;
    ready = write;
    return end;
  };
  return {
    write(...line) {
      if (ready) return ready(...line);
      early?.push(line);
      void load();
    },
    end: async () => {
      if (loading) await (await load())();
    },
  };
}

async function openPino(): Promise<{ write: Write; end: () => Promise<void> }> {
  const { pino } = await import('pino');
  const destination = pino.destination({ dest: 2, sync: false, maxLength: MOST_WAITING_BYTES });
  // Whoever read the log has gone: the service goes on without one.
  destination.on('error', () => {});
  const logger = pino(
    { base: null, timestamp: pino.stdTimeFunctions.isoTime, formatters: { level: (label) => ({ level: label }) } },
    destination,
  );
  return {
    write: (level, name, told) => logger[level](told, name),
    // Not by flushSync(), which tries for ever where the reader has gone.
    end: () =>
      new Promise((resolve) => {
        setTimeout(resolve, LAST_LINES_MS).unref();
        for (const event of ['close', 'finish', 'error']) destination.once(event, () => resolve());
        destination.end();
      }),
  };
}

function terminalLines(): { write: Write; end: () => Promise<void> } {
  return {
    write(_, name, told) {
      const words = Object.entries(told).flatMap(([key, value]) => (value === undefined ? [] : wordOf(key, value)));
      process.stderr.write(`${new Date().toTimeString().slice(0, 8)} ${name} ${words.join(' ')}\n`);
    },
    end: async () => {},
  };
}

const UNITS: Readonly<Record<string, string>> = { ms: ' ms', bytes: ' B' };

/** What tells itself stands alone, the rest behind its name. */
function wordOf(key: string, value: unknown): string {
  if (key in UNITS) return `${value}${UNITS[key]}`;
  return ['method', 'route', 'status', 'error', 'problem'].includes(key) ? String(value) : `${key} ${value}`;
}

/** An error and what is beneath it. */
function textOf(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  const text = error.stack ?? String(error);
  return error.cause === undefined ? text : `${text}\ncaused by ${textOf(error.cause)}`;
}
