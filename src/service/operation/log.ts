import { once } from 'node:events';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Audit, AuditEvent } from '../accounts/audit.js';
import { ASSETS, type RequestLine } from '../http/request-record.js';
import type { Settings } from '../settings/settings.js';
import type { DataState } from '../store/served-data.js';

/** The service's log on stderr, one line for each event. */
export interface Log {
  request(line: RequestLine): void;
  /** A failure of the service, with the id of the request that met it. */
  failure(error: unknown, requestId: string): void;
  /** An event that the operator answers for; written at every level but `silent`. */
  readonly audit: Audit;
  /** Another data version is served, which is such an event, or something is wrong with the data, which is an error. */
  data(state: DataState): void;
  /** A warning of the process, such as one about a damaged file that the service can do without. */
  warning(warning: Error): void;
  /** An event of a worker, such as its start or its end, with details. */
  worker(name: string, told: Readonly<Record<string, unknown>>, isFailure?: boolean): void;
  /** Whole lines of another process's log, written unchanged. */
  forward(lines: string): void;
  /** Settles once all that was logged so far is written; never where nobody reads the log any more. */
  written(): Promise<void>;
  /** Settles once the whole log is written; what is logged afterwards is dropped. */
  end(): Promise<void>;
}

/** What is logged, and how. */
export interface LogOptions {
  /** Which events are logged; see the setting `logLevel`. */
  readonly level: Settings['logLevel'];
  /** The number of the worker whose log this is, written in every line. */
  readonly worker?: number;
  /** Whether its lines are for people instead of JSON. Default: whether stderr is a terminal. */
  readonly isForReading?: boolean;
}

type Level = 'debug' | 'info' | 'warn' | 'error';

/** Writes a line: its level, its name and its details. */
type Write = (level: Level, name: string, told: Readonly<Record<string, unknown>>) => void;

/** Where lines go. */
interface Sink {
  readonly write: Write;
  readonly forward: (lines: string) => void;
  readonly written: () => Promise<void>;
  readonly end: () => Promise<void>;
}

const LEVELS: Readonly<Record<Settings['logLevel'], readonly Level[]>> = {
  debug: ['debug', 'info', 'warn', 'error'],
  info: ['info', 'warn', 'error'],
  error: ['warn', 'error'],
  silent: [],
};

/** Opens the log: JSON lines, or lines for reading. */
export function openLog({ level, worker, isForReading = process.stderr.isTTY === true }: LogOptions): Log {
  const { write, forward, written, end } = isForReading ? linesForReading() : jsonLines();
  const tell: Write = (of, name, told) => {
    if (LEVELS[level].includes(of)) write(of, name, worker === undefined ? told : { worker, ...told });
  };
  const always: Write = (of, name, told) => {
    if (level !== 'silent') write(of, name, worker === undefined ? told : { worker, ...told });
  };
  let was: string | undefined;
  return {
    request: (line) => tell(levelOf(line), 'request', { ...line }),
    failure: (error, id) => tell('error', 'failure', { id, error: errorText(error) }),
    audit: (event, details) => always('info', event, { ...details }),
    data({ served, current, problem }) {
      const of = problem === undefined ? 'info' : 'error';
      const before = was;
      was = served ?? was;
      if (was === before) return tell(of, 'data', { served, current, problem });
      // An older version is a rollback only where it is the one that should be served; else it is a fall back from damage.
      const isRollback = served === current && Number(served) < Number(before);
      const event: AuditEvent = isRollback ? 'data rolled back' : 'data served';
      always(of, event, { was: before, served, current, problem });
    },
    warning: ({ name, message }) => tell('warn', 'warning', { name, text: message }),
    worker: (name, told, isFailure = false) => tell(isFailure ? 'error' : 'info', name, told),
    forward,
    async written() {
      await written();
      // The first process gathers the lines of a worker once more.
      if (worker !== undefined) await sleep(2 * GATHERED_MS);
    },
    end,
  };
}

/** Statuses of failures of the service. 501 and 505 are not among them: they answer requests that are not supported. */
const FAILED: ReadonlySet<number> = new Set([500, 503]);

function levelOf({ status, route }: RequestLine): Level {
  if (FAILED.has(status)) return 'error';
  return ASSETS.has(route) && status < 400 ? 'debug' : 'info';
}

/** Most bytes that wait for a slow reader; what comes beyond is dropped, to bound memory. */
const MOST_WAITING_BYTES = 1 << 24;

/** Lines are written together, once there are this many letters or after this time: a write costs more than a query. */
const GATHERED_LETTERS = 1 << 16;
const GATHERED_MS = 100;

/** How long the last lines may take to be written. */
const LAST_LINES_MS = 1000;

/** Writes lines of JSON by pino, which loads at the first line, so as not to delay a start. */
function jsonLines(): Sink {
  let early: ((sink: Sink) => void)[] | undefined = [];
  let loading: Promise<Sink> | undefined;
  let ready: Sink | undefined;
  const load = async () => {
    loading ??= openPino();
    const sink = await loading;
    for (const each of early ?? []) each(sink);
    early = undefined;
    ready = sink;
    return sink;
  };
  const soon = (each: (sink: Sink) => void) => {
    if (ready) return each(ready);
    early?.push(each);
    void load();
  };
  return {
    write: (...line) => soon((sink) => sink.write(...line)),
    forward: (lines) => soon((sink) => sink.forward(lines)),
    written: async () => {
      if (loading) await (await load()).written();
    },
    end: async () => {
      if (loading) await (await load()).end();
    },
  };
}

async function openPino(): Promise<Sink> {
  const { pino } = await import('pino');
  let isGivenUp = false;
  const retryEAGAIN = () => !isGivenUp;
  const destination = pino.destination({ dest: 2, sync: false, maxLength: MOST_WAITING_BYTES, retryEAGAIN });
  // The reader of the log has gone: the service goes on without it.
  destination.on('error', () => {});
  // Gathered here, as the destination would measure all that it has gathered at every line.
  let gathered = '';
  let isOver = false;
  let isWritten = true;
  destination.on('drain', () => {
    isWritten = true;
  });
  let flushing: NodeJS.Timeout | undefined;
  const flush = () => {
    clearTimeout(flushing);
    flushing = undefined;
    if (gathered !== '' && !isOver) {
      isWritten = false;
      destination.write(gathered);
    }
    gathered = '';
  };
  const forward = (lines: string) => {
    gathered += lines;
    if (gathered.length >= GATHERED_LETTERS) flush();
    else flushing ??= setTimeout(flush, GATHERED_MS).unref();
  };
  const logger = pino(
    {
      level: 'debug',
      base: null,
      timestamp: pino.stdTimeFunctions.isoTime,
      formatters: { level: (label) => ({ level: label }) },
    },
    { write: forward },
  );
  return {
    write(level, name, told) {
      logger[level](told, name);
      // An overload refuses thousands of requests a second: their lines are gathered like others.
      if (level === 'error' && name !== 'request') flush();
    },
    forward,
    async written() {
      flush();
      if (!isWritten) await once(destination, 'drain');
    },
    // Not by flushSync(), which retries for ever if the reader has gone.
    end: () =>
      new Promise((resolve) => {
        flush();
        isOver = true;
        const giveUp = () => {
          isGivenUp = true;
          resolve();
        };
        setTimeout(giveUp, LAST_LINES_MS).unref();
        for (const event of ['close', 'finish', 'error']) destination.once(event, () => resolve());
        destination.end();
      }),
  };
}

function linesForReading(): Sink {
  return {
    write(_, name, told) {
      const words = Object.entries(told).flatMap(([key, value]) => (value === undefined ? [] : wordOf(key, value)));
      process.stderr.write(`${new Date().toTimeString().slice(0, 8)} ${name} ${words.join(' ')}\n`);
    },
    forward: (lines) => void process.stderr.write(lines),
    written: () => new Promise((resolve) => process.stderr.write('', () => resolve())),
    end: async () => {},
  };
}

const UNITS: Readonly<Record<string, string>> = { ms: ' ms', bytes: ' B' };

/** A detail of a line: values that explain themselves stand alone, others follow their name. */
function wordOf(key: string, value: unknown): string {
  if (key in UNITS) return `${value}${UNITS[key]}`;
  return ['method', 'route', 'status', 'error', 'problem', 'text'].includes(key) ? String(value) : `${key} ${value}`;
}

/** The text of an error and its causes. */
function errorText(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  const text = error.stack ?? String(error);
  return error.cause === undefined ? text : `${text}\ncaused by ${errorText(error.cause)}`;
}

/**
 * Writes this process's warnings into its log, such as one about a damaged file that the service can do without. Node's
 * own listener would write them between the lines of the log, in another format.
 */
export function logWarnings(log: Log): void {
  process.removeAllListeners('warning').on('warning', (warning) => log.warning(warning));
}
