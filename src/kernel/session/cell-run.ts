import type { Incoming, Outlet } from '../protocol/message.js';
import { helpName } from '../transform/cell-source.js';
import { UNAWAITED } from '../transform/unawaited.js';
import { besideFault } from '../types/advice.js';
import { blockingDiagnostics, type CheckedCell, largeText, TOO_LARGE } from '../types/type-service.js';
import { type CellFault, type CellOutcome, INTERRUPTED, plainFault } from '../wire/runner.js';
import { CellOutput, type InputDesk } from './cell-io.js';
import type { CellTypes } from './cell-types.js';
import type { commDesk } from './comm-desk.js';
import type { History } from './history.js';
import { parseCell } from './is-complete.js';
import type { KeptOutcome, RunnerKeeper } from './runner-keeper.js';
import { hoverBundle } from './type-answers.js';

const STUCK_MS = 3000;
/** How long what a further interrupt ends may take to end before its process is ended. */
const FORCED_MS = 1000;

/** How to run a cell. */
interface CellRequest {
  code: string;
  /** The cell's name in traces: `cell 3`. */
  name: string;
  executionCount: number;
  isSilent: boolean;
  isCounted: boolean;
  allowsInput: boolean;
  expressions: Record<string, string>;
}

/** One run of a cell under the request that asked for it. */
export class CellRun {
  readonly output: CellOutput;
  readonly request: CellRequest;
  readonly #parts: SessionParts;
  #isOver = false;
  #isStuck = false;
  #wasForced = false;
  #giveUp: ((outcome: CellOutcome) => void) | undefined;
  #force: NodeJS.Timeout | undefined;
  #timer: NodeJS.Timeout | undefined;

  constructor(parts: SessionParts, message: Incoming, request: CellRequest) {
    this.#parts = parts;
    this.request = request;
    this.output = new CellOutput(request.isSilent ? SILENCE : parts.outlet, message, request.executionCount);
  }

  /** Runs the cell; resolves once everything that it showed has been sent. */
  async run(): Promise<CellOutcome> {
    const { code, name } = this.request;
    this.#sayLoss();
    const asked = helpName(code);
    if (asked !== undefined) return this.#help(asked);
    const checked = this.#parts.types.add(code, name);
    const isBlocking = this.#parts.types.mode === 'block';
    const refused = isBlocking ? await this.#refusal(checked) : undefined;
    const { outcome, isLost } = refused ? { outcome: refused, isLost: false } : await this.#execute();
    this.#isOver = true;
    clearTimeout(this.#timer);
    clearTimeout(this.#force);
    this.#parts.input.leave(this.output.parent, outcome.status === 'error');
    let isUnparsed = false;
    if (outcome.status === 'error') {
      this.output.send({ type: 'error', content: faultContent(outcome.fault) });
      isUnparsed = await this.#withdrawUnparsed(outcome.fault, checked);
    }
    if (isLost) this.output.write('stderr', this.#parts.runner.sequel);
    if (!refused && !isUnparsed && this.#parts.types.mode !== 'off')
      this.#warn(checked, outcome.status === 'error' ? outcome.fault : undefined);
    this.output.flush();
    return outcome;
  }

  /** Shows what Shift-Tab shows of a name. */
  async #help(name: string): Promise<CellOutcome> {
    const hover = await this.#parts.types.hover(name, name.lastIndexOf('.') + 1);
    this.#isOver = true;
    if (hover) this.output.send({ type: 'display_data', content: { ...hoverBundle(hover), transient: {} } });
    else this.output.write('stderr', `Nothing is known of '${name}', or not yet: types may still be starting.\n`);
    this.output.flush();
    return { status: 'ok' };
  }

  /**
   * Interrupts the cell. If it does not stop within some seconds, the next call ends its process, unless that call, too,
   * soon ends what the cell waits for.
   */
  interrupt(): void {
    if (this.#isOver) {
      this.#parts.runner.interrupt();
      return;
    }
    this.#giveUp?.({ status: 'error', fault: plainFault(INTERRUPTED, 'Interrupted before it ran.') });
    this.#parts.runner.interrupt();
    if (this.#isStuck) {
      this.#force ??= setTimeout(() => this.#endByForce(), FORCED_MS);
      return;
    }
    this.#timer ??= setTimeout(() => this.#sayStuck(), STUCK_MS);
  }

  #endByForce(): void {
    this.#wasForced = true;
    this.#parts.runner.endByForce();
  }

  /** Shows under the cell that the process ended between two cells. */
  showLoss({ name, message }: CellFault): void {
    const { sequel } = this.#parts.runner;
    this.output.write('stderr', `${name}: ${message} This was between two cells. ${sequel}`);
    this.output.flush();
  }

  async #execute(): Promise<KeptOutcome> {
    const { code, name, expressions, allowsInput } = this.request;
    const { runner, input, comms } = this.#parts;
    const { parent } = this.output;
    const kept = await runner.execute(code, {
      name,
      ...(Object.keys(expressions).length > 0 ? { expressions } : {}),
      ...this.output.listener(
        (asked) => input.ask(parent, asked, allowsInput),
        (comm) => comms.send(comm, parent),
      ),
    });
    if (!this.#wasForced) return kept;
    const reason = 'Interrupted by ending the process that ran it; everything that the cells had defined is gone.';
    return { ...kept, outcome: { status: 'error', fault: plainFault(INTERRUPTED, reason) } };
  }

  /** Why the checked cell must not run; undefined if it may. */
  async #refusal(checked: CheckedCell): Promise<CellOutcome | undefined> {
    const { code, name } = this.request;
    const isGivenUp = new Promise<CellOutcome>((resolve) => {
      this.#giveUp = resolve;
    });
    const isChecked = Promise.all([checked.diagnostics, checked.obstacle]).then(([found, obstacle]) => {
      if (obstacle !== undefined && obstacle !== TOO_LARGE) return unchecked(obstacle);
      const errors = blockingDiagnostics(found);
      if (errors.length === 0) return undefined;
      const count = errors.length === 1 ? 'a type error' : `${errors.length} type errors`;
      const fault: CellFault = {
        name: 'TypeCheckError',
        message: `The cell did not run: it has ${count}.`,
        traceback: this.#parts.types.describe(errors, code, name).trimEnd().split('\n'),
      };
      return { status: 'error', fault } as const;
    });
    const refusal = await Promise.race([isGivenUp, isChecked]);
    this.#giveUp = undefined;
    if (refusal) checked.withdraw();
    return refusal;
  }

  /** Shows what the checker found, except for what the cell's own error says. */
  #warn(checked: CheckedCell, fault: CellFault | undefined): void {
    const { code, name } = this.request;
    void checked.diagnostics.then((found) => {
      const { rest, meant } = fault ? besideFault(found, fault) : { rest: found, meant: undefined };
      const text = this.#parts.types.describe(rest, code, name);
      if (meant !== undefined) this.output.write('stderr', `${meant}\n`);
      if (text !== '') this.output.write('stderr', text);
    });
    void checked.obstacle.then((why) => {
      if (why === TOO_LARGE) this.output.write('stderr', `${largeText(name)}\n`);
    });
  }

  /** Withdraws a cell if it does not parse: it has defined nothing and would spoil the checks of later cells. */
  async #withdrawUnparsed(fault: CellFault, checked: CheckedCell): Promise<boolean> {
    if (fault.name !== 'SyntaxError') return false;
    const parsed = await parseCell(this.request.code);
    // What asks the reader without awaiting the answer is refused as if it did not parse.
    const isUnparsed = parsed?.errors.length !== 0 || UNAWAITED.test(fault.message);
    if (isUnparsed) checked.withdraw();
    return isUnparsed;
  }

  /** Says why the process has ended since the previous cell. A silent cell cannot show that, so a later one does. */
  #sayLoss(): void {
    const loss = this.request.isSilent ? undefined : this.#parts.runner.takeLoss();
    if (loss) this.showLoss(loss);
  }

  #sayStuck(): void {
    this.#isStuck = true;
    this.output.write('stderr', `${this.#parts.runner.isWaiting ? STUCK_COMMAND : STUCK}\n`);
    this.output.flush();
  }
}

const STUCK =
  'The cell does not give way: it is within code that cannot be interrupted. Interrupt once more to end its process; everything defined is gone then.';
const STUCK_COMMAND =
  'The command for which the cell waits goes on: it was asked to end (SIGINT). Interrupt once more to end it by force (SIGKILL); what is defined stays.';

/** A fault in the form that messages carry. */
export function faultContent({ name, message, traceback }: CellFault): object {
  return { ename: name, evalue: message, traceback };
}

const SILENCE = { publish: () => {}, send: () => '' };

function unchecked(obstacle: string): CellOutcome {
  const message = `The cell did not run: its types block, and could not be checked. ${obstacle}`;
  return { status: 'error', fault: plainFault('TypeCheckError', message) };
}

/** What the handling of a session's requests needs. */
export interface SessionParts {
  outlet: Outlet;
  runner: RunnerKeeper;
  types: CellTypes;
  history: History;
  input: InputDesk;
  comms: ReturnType<typeof commDesk>;
}
