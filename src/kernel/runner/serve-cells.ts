import { writeSync } from 'node:fs';
import { Socket } from 'node:net';
import { join } from 'node:path';
import { Worker } from 'node:worker_threads';
import { keepBuiltIns, withBuiltIns } from '../variables/built-ins.js';
import { encodeEvents, FrameDecoder } from '../wire/event-frames.js';
import { endOwnGroup, PIPES, removeLanes, SHOW } from '../wire/lifeline.js';
import type { RunnerCommand, RunnerEvent } from '../wire/runner.js';
import type { Answered } from '../wire/variables.js';
import { type CellToRun, Evaluation } from './evaluation.js';
import type { Notice } from './waited-children.js';

/**
 * Serves a parent over the pipes: runs its cells one after another. Ends with the commands pipe, even if timers or
 * servers are alive. The entry file is that of this process and of its watching thread.
 */
export function serve(entry: URL): void {
  // A process that the user forks must not inherit this process's flags.
  process.execArgv.length = 0;
  const notebook = process.argv[2] ?? join(process.cwd(), 'notebook.ts');
  // Where children write for which cells wait.
  const lanes = process.argv[3] || undefined;
  process.argv.length = 1;
  process.once('exit', () => removeLanes(lanes));
  let watch: Worker | undefined;
  const onHeld = showSoon(
    () => watch,
    () => evaluation.output.flushBetween(),
  );
  const shared = new SharedArrayBuffer(8);
  const waits = { shared, tell: (notice: Notice) => watch?.postMessage(notice) };
  const evaluation = new Evaluation({ notebook, send, onHeld, waits, lanes, program: entry });
  const commands = new Socket({ fd: PIPES.commands, readable: true, writable: false });
  const decoder = new FrameDecoder<RunnerCommand>();
  const waiting: CellToRun[] = [];
  let isBusy = false;
  // Not a chain of promises: an interrupt also drops whatever is queued behind the code that it ends.
  const next = async (): Promise<void> => {
    const command = isBusy ? undefined : waiting.shift();
    if (!command) return;
    isBusy = true;
    await evaluation.execute(command);
    isBusy = false;
    void next();
  };
  const tell = ({ id, question }: Extract<RunnerCommand, { type: 'ask' }>, isWhole: boolean): void => {
    send([{ type: 'heard', id }]);
    send([{ type: 'told', id, answered: isWhole ? evaluation.ask(question) : REPLACED }]);
  };
  /** The commands in a chunk besides questions, which are answered by `answer`. */
  const othersIn = (chunk: Buffer, answer: (asked: Extract<RunnerCommand, { type: 'ask' }>) => void) =>
    decoder.push(chunk).flatMap((command) => {
      if (command.type !== 'ask') return [command];
      answer(command);
      return [];
    });
  // Nothing of the user's is to run for a question, not even to read it. For others that would cost more than a small cell.
  const heard = (chunk: Buffer) =>
    apply(indexOf, chunk, [QUESTION]) !== -1
      ? withBuiltIns((isWhole) => othersIn(chunk, (asked) => tell(asked, isWhole)))
      : othersIn(chunk, (asked) => withBuiltIns((isWhole) => tell(asked, isWhole)));
  // Without the commands pipe, only what the cells left under way keeps the process alive.
  const finish = async (timeoutMs: number | undefined): Promise<void> => {
    let isDrained = false;
    process.once('beforeExit', () => {
      isDrained = true;
      commands.ref();
    });
    commands.unref();
    await evaluation.finish(() => isDrained, timeoutMs);
    commands.ref();
  };
  commands.on('data', (chunk: Buffer) => {
    const others = heard(chunk);
    if (others.length === 0) return;
    for (const command of others) {
      if (command.type === 'answer') evaluation.requests.answer(command.id, command.text);
      else if (command.type === 'comm') evaluation.comm(command.id, command.comm);
      else if (command.type === 'finish') void finish(command.timeoutMs);
      else waiting.push(command);
    }
    void next();
  });
  commands.once('close', () => {
    // The parent may go, too, before it ends the cells' processes. Added last: the user's exit handlers run first.
    process.once('exit', endOwnGroup);
    process.exit(0);
  });
  process.on('exit', (code) => {
    evaluation.output.flush();
    send([{ type: 'exit', code }]);
  });
  keepBuiltIns();
  send([{ type: 'ready' }]);
  // A program of its own, since it needs little of what this one is.
  watch = new Worker(new URL('./watch-lifeline.cjs', entry), {
    argv: lanes === undefined ? [] : [lanes],
    execArgv: [],
    workerData: shared,
  });
  watch.unref();
}

// Taken before any cell can replace them.
const { apply } = Reflect;
const { indexOf } = Buffer.prototype;
/** How a question begins in the commands. */
const QUESTION = '{"type":"ask"';

const REPLACED: Answered = {
  status: 'refused',
  message:
    'Built-in objects of JavaScript have been replaced for good: to look at variables would call what took their place.',
};

/** Makes a function that has the watching thread request held output soon, even while one statement runs on and on. */
function showSoon(watch: () => Worker | undefined, show: () => void): () => void {
  let isAsked = false;
  const value = (): void => {
    isAsked = false;
    if (!isSending) show();
  };
  Object.defineProperty(globalThis, SHOW, { value });
  return () => {
    if (!isAsked) watch()?.postMessage(undefined);
    isAsked = true;
  };
}

let isSending = false;

/** Sends events at once and in full, so that nothing is lost if the next statement ends the process. */
function send(events: RunnerEvent[]): void {
  isSending = true;
  try {
    for (const frame of encodeEvents(events)) {
      for (let sent = 0; sent < frame.length; ) sent += writeSync(PIPES.events, frame, sent);
    }
  } catch (error) {
    const isGone = error instanceof Error && 'code' in error && error.code === 'EPIPE';
    if (!isGone) throw error;
    // The parent is gone, and nothing else would end what the cells started.
    endOwnGroup();
  } finally {
    isSending = false;
  }
}
