import { writeSync } from 'node:fs';
import { Socket } from 'node:net';
import { join } from 'node:path';
import { Worker } from 'node:worker_threads';
import { endOwnGroup } from '../end-process-group.js';
import type { RunnerCommand, RunnerEvent } from '../events.js';
import { FrameDecoder } from '../frame-codec.js';
import { PIPES } from '../pipes.js';
import { encodeEvents } from './encode-events.js';
import { createEvaluation } from './evaluation.js';
import { SHOW } from './strike.js';

type ExecuteCommand = RunnerCommand & { type: 'execute' };

/**
 * Serves a parent over the pipes: runs its cells one after another and ends when the pipe of commands ends, whatever
 * timers or servers are alive.
 *
 * @param entry The process's entry file, which is also its watching thread's.
 */
export function serve(entry: URL): void {
  // A process that the user forks must not inherit the flags that this one needs.
  process.execArgv.length = 0;
  const notebook = process.argv[2] ?? join(process.cwd(), 'notebook.ts');
  process.argv.length = 1;
  let watch: Worker | undefined;
  const onHeld = showSoon(
    () => watch,
    () => evaluation.flushBetween(),
  );
  const evaluation = createEvaluation({ notebook, send, onHeld, program: entry });
  const commands = new Socket({ fd: PIPES.commands, readable: true, writable: false });
  const decoder = new FrameDecoder<RunnerCommand>();
  const waiting: ExecuteCommand[] = [];
  let isBusy = false;
  // No chain of promises: an interrupt takes away all that waits for its turn behind the code that it ends.
  const next = async (): Promise<void> => {
    const command = isBusy ? undefined : waiting.shift();
    if (!command) return;
    isBusy = true;
    await evaluation.execute(command);
    isBusy = false;
    void next();
  };
  // What else keeps the process alive is what the cells have left under way.
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
    for (const command of decoder.push(chunk)) {
      if (command.type === 'answer') evaluation.answer(command.id, command.text);
      else if (command.type === 'comm') evaluation.comm(command.id, command.comm);
      else if (command.type === 'finish') void finish(command.timeoutMs);
      else waiting.push(command);
    }
    void next();
  });
  commands.once('close', () => {
    // The parent may go too, before it ends them. Added last: the handlers of the user's code have their turn before.
    process.once('exit', endOwnGroup);
    process.exit(0);
  });
  process.on('exit', (code) => {
    evaluation.flush();
    send([{ type: 'exit', code }]);
  });
  send([{ type: 'ready' }]);
  watch = new Worker(entry, { execArgv: [] });
  watch.unref();
}

/** Lets the watching thread have output sent that is gathered while one statement runs on and on. */
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

/** Written at once and in full, so that nothing is lost when the process ends in the next statement. */
function send(events: RunnerEvent[]): void {
  isSending = true;
  try {
    for (const frame of encodeEvents(events)) {
      for (let sent = 0; sent < frame.length; ) sent += writeSync(PIPES.events, frame, sent);
    }
  } catch (error) {
    const isGone = error instanceof Error && 'code' in error && error.code === 'EPIPE';
    if (!isGone) throw error;
    // The parent is gone: nobody else would end what the cells have started.
    endOwnGroup();
  } finally {
    isSending = false;
  }
}
