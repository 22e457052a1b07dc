import { type Runtime, Session } from 'node:inspector';
import { Socket } from 'node:net';
import { parentPort, workerData } from 'node:worker_threads';
import { endOwnGroup, LEFT, PIPES, removeLanes, SHOW, STRIKE, STRIKE_URL } from '../wire/lifeline.js';
import type { Struck } from './interrupts.js';
import { type Notice, WaitedChildren } from './waited-children.js';

const GRACE_MS = 500;
const RETRY_MS = 1;
/** The same for what an interrupted cell has left behind. */
const LATER_MS = 20;
/** So many calls in a row must fail before they count as a full stack. */
const FAILURES = 25;
/** How long to wait for an answer, which the end of a cell can swallow. */
const LOST_MS = 250;
const GATHER_MS = 30;

/**
 * Ends the process shortly after its parent ends. Interrupts the cells whose ids the parent sends (4 bytes each), with
 * the child for which the main thread waits, and has held output sent, all even while the main thread is in an endless
 * loop.
 */
function watchLifeline(): void {
  const lifeline = new Socket({ fd: PIPES.lifeline, readable: true, writable: false });
  const [, , lanes] = process.argv;
  const end = (): void => {
    removeLanes(lanes);
    setTimeout(endOwnGroup, GRACE_MS);
  };
  const session = new Session();
  session.connectToMainThread();
  const children = new WaitedChildren(workerData as SharedArrayBuffer);
  let rest: Buffer = Buffer.alloc(0);
  lifeline.on('data', (chunk: Buffer) => {
    rest = Buffer.concat([rest, chunk]);
    // On a busy machine two interrupts may be read at once; they are two all the same.
    for (; rest.length >= 4; rest = rest.subarray(4)) {
      const cell = rest.readUInt32LE(0);
      children.end(cell);
      strike(session, { cell, attempt: 0, request: ++requests });
    }
  });
  lifeline.once('end', end).once('error', end);
  // An empty message says that output has begun to be held back; the next comes only after that output was requested.
  parentPort?.on('message', (notice: Notice | undefined) => {
    if (notice) children.take(notice);
    else setTimeout(() => callMain(session, SHOW, []), GATHER_MS);
  });
}

/** Runs in the main thread even while that is in a loop: the inspector interrupts it. */
function callMain(session: Session, name: symbol, given: number[], onAnswer?: Answered): void {
  const call = `globalThis[Symbol.for(${JSON.stringify(name.description)})]?.(${given.join(', ')})`;
  const parameters = { expression: `${call}\n//# sourceURL=${STRIKE_URL}`, silent: true, returnByValue: true };
  session.post('Runtime.evaluate', parameters, onAnswer);
}

type Answered = (failure: Error | null, answer?: Runtime.EvaluateReturnType) => void;

/** How many requests to interrupt a cell there were. */
let requests = 0;

/** An attempt to interrupt a cell. */
interface Attempt {
  cell: number;
  attempt: number;
  request: number;
  /** How many attempts in a row have failed until now. */
  failures?: number;
}

function strike(session: Session, { cell, attempt, request, failures = 0 }: Attempt): void {
  // A later request ends what is left of all cells. Two attempts side by side would end each other instead.
  if (attempt === LEFT && request !== requests) return;
  let isLost = false;
  const timer = setTimeout(() => {
    isLost = true;
    // A blocked main thread must not count as further attempts; only the first attempt, 0, begins a request.
    strike(session, { cell, attempt: attempt || 1, request, failures });
  }, LOST_MS);
  callMain(session, STRIKE, [cell, attempt], (failure, answer) => {
    // Too late: another attempt has been made since.
    if (isLost) return;
    clearTimeout(timer);
    // The call stack may be full; then no function can be called, and the code can only be ended. Between two turns of
    // the event loop, too, and where the code has just been ended, a call may fail, but not repeatedly.
    const failed = failure === null ? 0 : failures + 1;
    // What is left behind may not be what runs.
    const isDeep = attempt !== LEFT && (answer?.exceptionDetails !== undefined || failed >= FAILURES);
    if (isDeep) session.post('Runtime.terminateExecution');
    const struck: Struck | undefined = answer?.result.value;
    const isLeft = attempt === LEFT || struck === 'later';
    const next = isLeft ? LEFT : struck === 'wait' ? attempt || 1 : attempt + 1;
    const again = () => strike(session, { cell, attempt: next, request, failures: failed });
    if (struck !== 'done') setTimeout(again, struck === 'later' ? LATER_MS : RETRY_MS);
  });
}

watchLifeline();
