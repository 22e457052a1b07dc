import { type Runtime, Session } from 'node:inspector';
import { Socket } from 'node:net';
import { parentPort } from 'node:worker_threads';
import { endOwnGroup } from '../end-process-group.js';
import { PIPES } from '../pipes.js';
import { SHOW, STRIKE, STRIKE_URL } from './strike.js';

const GRACE_MS = 500;
const RETRY_MS = 1;
/** How often it asks before a failure to answer counts. */
const PATIENCE = 25;
/** How long an answer is waited for; the end of a cell can take it away. */
const LOST_MS = 250;
const GATHER_MS = 30;

/**
 * Ends the process some time after its parent ended, interrupts the cells that the parent names by 4 bytes each, even
 * while the main thread is in an endless loop, and has what such a loop prints sent.
 */
export function watchLifeline(): void {
  const lifeline = new Socket({ fd: PIPES.lifeline, readable: true, writable: false });
  const end = (): void => {
    setTimeout(endOwnGroup, GRACE_MS);
  };
  const session = new Session();
  session.connectToMainThread();
  let rest: Buffer = Buffer.alloc(0);
  lifeline.on('data', (chunk: Buffer) => {
    rest = Buffer.concat([rest, chunk]);
    for (; rest.length >= 4; rest = rest.subarray(4)) strike(session, rest.readUInt32LE(0), 0);
  });
  lifeline.once('end', end).once('error', end);
  // Each message says that output has begun to be gathered; none follows before it was asked for.
  parentPort?.on('message', () => setTimeout(() => callMain(session, SHOW, []), GATHER_MS));
}

/** Runs in the main thread even while that is in a loop: the inspector takes the turn. */
function callMain(session: Session, name: symbol, given: number[], onAnswer?: Answered): void {
  const call = `globalThis[Symbol.for(${JSON.stringify(name.description)})]?.(${given.join(', ')})`;
  const parameters = { expression: `${call}\n//# sourceURL=${STRIKE_URL}`, silent: true, returnByValue: true };
  session.post('Runtime.evaluate', parameters, onAnswer);
}

type Answered = (failure: Error | null, answer?: Runtime.EvaluateReturnType) => void;

function strike(session: Session, cell: number, attempt: number): void {
  let isLost = false;
  const timer = setTimeout(() => {
    isLost = true;
    // What blocks the main thread is no reason to lose patience; only its first asking begins a request.
    strike(session, cell, Math.max(1, attempt));
  }, LOST_MS);
  callMain(session, STRIKE, [cell, attempt], (failure, answer) => {
    // It comes late, and another has been asked for since.
    if (isLost) return;
    clearTimeout(timer);
    // The calls may lie so deep that there is no room for another: then nothing can be asked, only ended. Between two
    // turns of the loop, too, an answer may fail to come, but not again and again.
    const isDeep = answer?.exceptionDetails !== undefined || (failure !== null && attempt >= PATIENCE);
    if (isDeep) session.post('Runtime.terminateExecution');
    const isOver = answer?.result.value === 'done';
    if (!isOver) setTimeout(() => strike(session, cell, attempt + 1), RETRY_MS);
  });
}
