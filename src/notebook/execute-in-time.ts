import {
  type CellFault,
  type CellListener,
  type CellOutcome,
  INTERRUPT_GRACE_MS,
  plainFault,
  type Runner,
} from '../kernel/wire/runner.js';

/** How a cell with a time limit ended. */
export type TimedOutcome = CellOutcome | { status: 'timeout'; fault: CellFault };

/** Runs a cell and interrupts it when its time, if limited, is up. If that does not end it, the process is ended. */
export async function executeInTime(
  runner: Runner,
  code: string,
  options: { name: string; timeoutMs?: number } & CellListener,
): Promise<TimedOutcome> {
  const { timeoutMs, ...rest } = options;
  const running = runner.execute(code, rest);
  if (timeoutMs === undefined) return running;
  let isOver = false;
  let lastResort: NodeJS.Timeout | undefined;
  const clock = setTimeout(() => {
    isOver = true;
    runner.interrupt();
    lastResort = setTimeout(() => void runner.close(), INTERRUPT_GRACE_MS);
  }, timeoutMs);
  const outcome = await running;
  clearTimeout(clock);
  clearTimeout(lastResort);
  return isOver && outcome.status === 'error'
    ? { status: 'timeout', fault: timeoutFault(timeoutMs, outcome.fault, runner.isAlive) }
    : outcome;
}

/** The fault of a cell whose last value is a promise that did not settle in time. */
export function unsettledFault(timeoutMs: number): CellFault {
  const message = `The promise that the cell ends in did not settle within ${timeoutMs / 1000} s after the last cell.`;
  return plainFault('CellTimeout', message);
}

/** The fault where the process had to be ended because something that a cell left running blocked it. */
export function loopFault(): CellFault {
  const message = 'What a cell has left running never gave way and could not be interrupted: its process was ended.';
  return plainFault('ProcessClosed', message);
}

/** The place of the interrupt differs from run to run: it is reported, but left out of the traceback that is stored. */
function timeoutFault(timeoutMs: number, { at }: CellFault, isAlive: boolean): CellFault {
  const end = isAlive ? 'was interrupted' : 'could not be interrupted: its process was ended';
  const message = `The cell did not end within ${timeoutMs / 1000} s and ${end}.`;
  return { ...plainFault('CellTimeout', message), ...(at ? { at } : {}) };
}
