import { setTimeout as pause } from 'node:timers/promises';
import { messageOf } from '../../base/errors.js';
import {
  type CallSignatures,
  type CheckedCell,
  type Completion,
  type Diagnostic,
  type Hover,
  MOST_CHARACTERS,
  TOO_LARGE,
  type TypeService,
  type TypesMode,
} from '../types/type-service.js';

/** How long a front end waits at most for a completion or documentation. */
const PATIENCE_MS = 5000;

/** The type service and the function that words its findings for a reader. */
export interface TypeSource {
  service: TypeService;
  describe: (diagnostics: Diagnostic[], code: string, name: string) => string;
}

/** The largest text that is checked while it is being written, again and again. */
const MOST_DRAFT_CHARACTERS = 50_000;
/** How long the check of such a text may take: the first of a notebook waits until the libraries' types are read. */
const DRAFT_PATIENCE_MS = 15_000;

/** How long no other cell may have begun before a waiting cell goes to the service. */
const LULL_MS = 15;
/** How long no cell may have run before it goes there, for each cell of those that follow each other closely. */
const REST_MS = 3;
/** Beyond so many cells in close succession, these times grow no more. */
const MOST_CLOSE = 10;
/** A cell that begins this soon after another has ended follows it closely. */
const CLOSE_MS = 5;
/** How long after the first cell a service starts that nobody has needed before: what the cell gave is shown first. */
const SHOWN_MS = 200;
/** The longest that a cell waits before it goes there. */
const LATEST_MS = 5000;

interface Waiting {
  code: string;
  name: string;
  /** Takes the service's result once the service has the cell. */
  take: (checked: CheckedCell) => void;
  sinceMs: number;
  /** When the cell was given, in milliseconds since 1970. */
  begunMs: number;
  isWithdrawn: boolean;
}

/**
 * The types of the cells. The type service starts late, by {@link warmUp} or when first needed, so that it delays no
 * start; until then the cells wait here. Except in mode `block`, cells that follow each other closely wait, too, since
 * the checks would compete with them for the processor. A failure of the service is logged; it then finds nothing.
 */
export class CellTypes {
  readonly mode: TypesMode;
  /** Words a cell's diagnostics for a reader. */
  describe: TypeSource['describe'] = () => '';
  readonly #open: () => Promise<TypeSource>;
  readonly #log: (line: string) => void;
  #service: TypeService | undefined;
  #opening: Promise<TypeService> | undefined;
  readonly #waiting: Waiting[] = [];
  /** Runs until the cell that has waited longest goes to the service; put off by each cell that begins. */
  #timer: NodeJS.Timeout | undefined;
  #isChecking = false;
  #restedAtMs = Number.NEGATIVE_INFINITY;
  /** How many cells, up to the last one, followed another closely. */
  #close = 0;
  /** Whether the log already says that cells are not checked. */
  #hasSaid = false;

  constructor(mode: TypesMode, open: () => Promise<TypeSource>, log: (line: string) => void) {
    this.mode = mode;
    this.#open = open;
    this.#log = log;
  }

  /** Starts the service now, unless types are off; then only completion and documentation start it. */
  warmUp(): void {
    if (this.mode !== 'off') void this.#opened();
  }

  /** See {@link TypeService.add}. */
  add(code: string, name: string): CheckedCell {
    const checked = this.#add(code, name);
    if (code.length <= MOST_CHARACTERS) return checked;
    return { ...unchecked(TOO_LARGE), withdraw: checked.withdraw };
  }

  #add(code: string, name: string): CheckedCell {
    if (this.#service && this.mode === 'block') return this.#service.add(code, name);
    const isClose = performance.now() - this.#restedAtMs < CLOSE_MS;
    this.#close = isClose ? Math.min(this.#close + 1, MOST_CLOSE) : 0;
    const waiting: Waiting = {
      code,
      name,
      take: () => {},
      sinceMs: performance.now(),
      begunMs: Date.now(),
      isWithdrawn: false,
    };
    const checked = new Promise<CheckedCell>((take) => {
      waiting.take = take;
    });
    this.#waiting.push(waiting);
    if (this.mode === 'block') this.warmUp();
    else this.#handOverIn(LULL_MS * Math.max(1, this.#close));
    const withdraw = (): void => {
      waiting.isWithdrawn = true;
      void checked.then((cell) => cell.withdraw());
    };
    return {
      diagnostics: checked.then((cell) => cell.diagnostics),
      obstacle: checked.then((cell) => cell.obstacle),
      unmet: () => [],
      withdraw,
    };
  }

  /** Called when no cell runs any more. */
  rest(): void {
    this.#restedAtMs = performance.now();
    if (this.#waiting.length === 0) return;
    if (this.#service) this.#handOverIn(REST_MS * this.#close);
    else setTimeout(() => this.warmUp(), SHOWN_MS).unref();
  }

  /** What could stand at an offset (UTF-16 units); empty if the answer takes too long. */
  async complete(code: string, offset: number): Promise<Completion> {
    const service = await this.#opened();
    this.#handOverAll();
    return this.#inTime(service.complete(code, offset), { start: offset, end: offset, items: [] });
  }

  /** What is known of the name at an offset (UTF-16 units); undefined if the answer takes too long. */
  async hover(code: string, offset: number): Promise<Hover | undefined> {
    const service = await this.#opened();
    this.#handOverAll();
    return this.#inTime(service.hover(code, offset), undefined);
  }

  /**
   * What a text would be warned of if it ran now; nothing where types are off, and for texts of more than 50,000
   * characters. Undefined if it is unwanted or could not be checked in time.
   */
  async diagnose(code: string, unwanted: AbortSignal): Promise<Diagnostic[] | undefined> {
    if (this.mode === 'off' || code.length > MOST_DRAFT_CHARACTERS) return [];
    const service = await this.#opened();
    this.#handOverAll();
    const ended = AbortSignal.any([unwanted, AbortSignal.timeout(DRAFT_PATIENCE_MS)]);
    return this.#inTime(service.diagnose(code, ended), undefined, DRAFT_PATIENCE_MS);
  }

  /** The call around an offset (UTF-16 units); undefined if there is none or the answer takes too long. */
  async signatures(code: string, offset: number, unwanted: AbortSignal): Promise<CallSignatures | undefined> {
    if (code.length > MOST_DRAFT_CHARACTERS) return undefined;
    const service = await this.#opened();
    this.#handOverAll();
    return this.#inTime(service.signatures(code, offset, unwanted), undefined);
  }

  /** Forgets all cells. */
  reset(): void {
    this.#handOverAll();
    for (const { take } of this.#waiting.splice(0)) take(unchecked(STARTED_ANEW));
    this.#service?.reset();
  }

  /** Ends the service, and starts none any more; resolves once it has ended. */
  async close(): Promise<void> {
    clearTimeout(this.#timer);
    // Checks that are cut off from here on are not worth a log line.
    this.#hasSaid = true;
    // Whoever asks from here on must not start a process that nobody would end.
    this.#opening ??= Promise.resolve(unavailableService('the kernel has ended'));
    const service = await this.#opening;
    await service.close();
  }

  #opened(): Promise<TypeService> {
    const unavailable = (error: unknown): TypeSource => {
      const why = messageOf(error);
      this.#sayOnce(`Types, completion and documentation are not available: ${why}`);
      return { service: unavailableService(why), describe: () => '' };
    };
    this.#opening ??= this.#open()
      .catch(unavailable)
      .then(({ service, describe }) => {
        this.#service = service;
        this.describe = describe;
        this.#handOverAll();
        return service;
      });
    return this.#opening;
  }

  #handOverIn(delayMs: number): void {
    clearTimeout(this.#timer);
    // A service that starts later gets all of them at once.
    if (!this.#service) return;
    const latestMs = (this.#waiting[0]?.sinceMs ?? Number.POSITIVE_INFINITY) + LATEST_MS - performance.now();
    this.#timer = setTimeout(
      () => {
        this.#timer = undefined;
        this.#handOverNext();
      },
      Math.max(0, Math.min(delayMs, latestMs)),
    );
  }

  /** Hands over one cell after another; if a new cell comes meanwhile, the rest wait again. */
  #handOverNext(): void {
    const checked = this.#isChecking || this.#timer ? undefined : this.#handOver();
    if (!checked) return;
    this.#isChecking = true;
    const next = (): void => {
      this.#isChecking = false;
      this.#handOverNext();
    };
    void checked.diagnostics.then(next, next);
  }

  #handOverAll(): void {
    while (this.#handOver());
  }

  /** Hands the service the cell that has waited longest; undefined if there is none, or no service yet. */
  #handOver(): CheckedCell | undefined {
    const service = this.#service;
    const next = service && this.#waiting.shift();
    if (!next) return undefined;
    const checked = next.isWithdrawn ? unchecked(WITHDRAWN) : service.add(next.code, next.name, next.begunMs);
    next.take(checked);
    void checked.obstacle.then((why) => {
      if (why !== undefined && why !== TOO_LARGE && !next.isWithdrawn) this.#sayOnce(`Cells are not checked: ${why}`);
    });
    return checked;
  }

  #sayOnce(line: string): void {
    if (!this.#hasSaid) this.#log(line);
    this.#hasSaid = true;
  }

  async #inTime<Answer>(answer: Promise<Answer>, none: Answer, patienceMs = PATIENCE_MS): Promise<Answer> {
    const failed = answer.catch((error: unknown) => {
      this.#log(`The type service failed: ${messageOf(error)}`);
      return none;
    });
    return Promise.race([failed, pause(patienceMs, none, { ref: false })]);
  }
}

const STARTED_ANEW = 'The process that runs the cells was started anew.';
const WITHDRAWN = 'It was withdrawn.';

function unchecked(obstacle: string): CheckedCell {
  return { diagnostics: Promise.resolve([]), obstacle: Promise.resolve(obstacle), unmet: () => [], withdraw: () => {} };
}

function unavailableService(obstacle: string): TypeService {
  return {
    add: () => unchecked(obstacle),
    complete: async (_code, offset) => ({ start: offset, end: offset, items: [] }),
    hover: async () => undefined,
    diagnose: async () => undefined,
    signatures: async () => undefined,
    reset: () => {},
    close: async () => {},
  };
}
