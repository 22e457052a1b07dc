import { type Runtime, Session } from 'node:inspector';
import { Socket } from 'node:net';
import { PIPES } from '../pipes.js';
import { STRIKE, STRIKE_URL } from './strike.js';

const GRACE_MS = 500;
const RETRY_MS = 1;

/**
 * Ends the process some time after its parent ended, and interrupts the cells that the parent names by 4 bytes each,
 * even while the main thread is in an endless loop.
 */
export function watchLifeline(): void {
  const lifeline = new Socket({ fd: PIPES.lifeline, readable: true, writable: false });
  const end = (): void => {
    setTimeout(() => process.kill(process.pid, 'SIGKILL'), GRACE_MS);
  };
  const session = new Session();
  session.connectToMainThread();
  let rest: Buffer = Buffer.alloc(0);
  lifeline.on('data', (chunk: Buffer) => {
    rest = Buffer.concat([rest, chunk]);
    for (; rest.length >= 4; rest = rest.subarray(4)) strike(session, rest.readUInt32LE(0), 0);
  });
  lifeline.once('end', end).once('error', end);
}

/** Runs in the main thread even while that is in a loop: the inspector takes the turn. */
function strike(session: Session, cell: number, attempt: number): void {
  const call = `globalThis[Symbol.for(${JSON.stringify(STRIKE.description)})]?.(${cell}, ${attempt})`;
  const parameters = { expression: `${call}\n//# sourceURL=${STRIKE_URL}`, silent: true, returnByValue: true };
  session.post('Runtime.evaluate', parameters, (failure, answer?: Runtime.EvaluateReturnType) => {
    // The calls may lie so deep that there is no room for another: then nothing can be asked, only ended.
    if (failure || answer?.exceptionDetails) session.post('Runtime.terminateExecution');
    const isOver = answer?.result.value === 'done';
    if (!isOver) setTimeout(() => strike(session, cell, attempt + 1), RETRY_MS);
  });
}
