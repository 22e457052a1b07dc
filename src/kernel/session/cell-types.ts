import type { CheckedCell, Completion, Diagnostic, Hover, TypeService } from '../types/type-service.js';
import type { TypesMode } from '../types/types-mode.js';

/** How long a front end waits for a completion or a documentation at most. */
const PATIENCE_MS = 5000;

/** The type service, and how what it finds is put into words for a reader. */
export interface TypeSource {
  service: TypeService;
  describe: (diagnostics: Diagnostic[], code: string, name: string) => string;
}

/** Larger cells are not checked: they are data rather than code, and would keep the checker busy for minutes. */
const MOST_CHARACTERS = 1_000_000;

interface Early {
  code: string;
  name: string;
  /** Of the service, once it has got the cell. */
  take: (checked: CheckedCell) => void;
  isWithdrawn: boolean;
}

/**
 * The types of the cells. The type service is started late, so that it delays no start: by {@link warmUp} or by what
 * first needs it; until then the cells wait here. One that fails is said in the log and finds nothing.
 */
export class CellTypes {
  readonly mode: TypesMode;
  readonly #open: () => Promise<TypeSource>;
  readonly #log: (line: string) => void;
  #service: TypeService | undefined;
  #describe: TypeSource['describe'] = () => '';
  #opening: Promise<TypeService | undefined> | undefined;
  #early: Early[] = [];

  /** @param open Starts the type service. */
  constructor(mode: TypesMode, open: () => Promise<TypeSource>, log: (line: string) => void) {
    this.mode = mode;
    this.#open = open;
    this.#log = log;
  }

  /** Starts the service now, unless types are off: then completion and documentation alone start it. */
  warmUp(): void {
    if (this.mode !== 'off') void this.#opened();
  }

  /** See {@link TypeService.add}. */
  add(code: string, name: string): CheckedCell {
    if (code.length > MOST_CHARACTERS) return UNCHECKED;
    if (this.#service) return this.#service.add(code, name);
    let early: Early | undefined;
    const checked = new Promise<CheckedCell>((take) => {
      early = { code, name, take, isWithdrawn: false };
      this.#early.push(early);
    });
    if (this.mode === 'block') this.warmUp();
    const withdraw = (): void => {
      if (early) early.isWithdrawn = true;
      void checked.then((cell) => cell.withdraw());
    };
    return {
      diagnostics: checked.then((cell) => cell.diagnostics),
      isChecked: checked.then((cell) => cell.isChecked),
      withdraw,
    };
  }

  /** Puts diagnostics of a cell into words for a reader. */
  describe(diagnostics: Diagnostic[], code: string, name: string): string {
    return this.#describe(diagnostics, code, name);
  }

  /** What could stand at an offset (UTF-16); nothing where it is not known in time. */
  async complete(code: string, offset: number): Promise<Completion> {
    const service = await this.#opened();
    const none = { start: offset, end: offset, items: [] };
    return service ? this.#inTime(service.complete(code, offset), none) : none;
  }

  /** What is known of the name at an offset (UTF-16); undefined where it is not known in time. */
  async hover(code: string, offset: number): Promise<Hover | undefined> {
    const service = await this.#opened();
    return service && this.#inTime(service.hover(code, offset), undefined);
  }

  /** Forgets all cells. */
  reset(): void {
    for (const { take } of this.#early.splice(0)) take(UNCHECKED);
    this.#service?.reset();
  }

  /** Ends the service; resolves once it is gone. */
  async close(): Promise<void> {
    const service = await this.#opening;
    await service?.close();
  }

  #opened(): Promise<TypeService | undefined> {
    this.#opening ??= this.#open().then(
      (source) => this.#handOver(source),
      (error: unknown) => {
        this.#log(`Types, completion and documentation are not available: ${messageOf(error)}`);
        this.reset();
        this.#service = UNAVAILABLE;
        return undefined;
      },
    );
    return this.#opening;
  }

  #handOver({ service, describe }: TypeSource): TypeService {
    this.#service = service;
    this.#describe = describe;
    for (const { code, name, take, isWithdrawn } of this.#early.splice(0)) {
      take(isWithdrawn ? UNCHECKED : service.add(code, name));
    }
    return service;
  }

  async #inTime<Answer>(answer: Promise<Answer>, none: Answer): Promise<Answer> {
    let timer: NodeJS.Timeout | undefined;
    const late = new Promise<Answer>((resolve) => {
      timer = setTimeout(() => resolve(none), PATIENCE_MS);
    });
    const failed = answer.catch((error: unknown) => {
      this.#log(`The type service failed: ${messageOf(error)}`);
      return none;
    });
    return Promise.race([failed, late]).finally(() => clearTimeout(timer));
  }
}

const UNCHECKED: CheckedCell = {
  diagnostics: Promise.resolve<Diagnostic[]>([]),
  isChecked: Promise.resolve(false),
  withdraw: () => {},
};

const UNAVAILABLE: TypeService = {
  add: () => UNCHECKED,
  complete: async (_code, offset) => ({ start: offset, end: offset, items: [] }),
  hover: async () => undefined,
  reset: () => {},
  close: async () => {},
};

function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
