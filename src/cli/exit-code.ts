import { CommanderError } from 'commander';
import {
  CellTimeoutError,
  DriftError,
  IncompleteError,
  messageOf,
  NotSeenError,
  OddslabError,
  TypeCheckError,
  UsageError,
} from '../base/errors.js';
import { leastOf } from '../base/many.js';

/** Meanings of the command's exit codes, from which help and documentation are made. */
export const EXIT_CODES = {
  0: 'done',
  1: 'failed; run: a cell failed, or a file is no notebook; data verify: a version is damaged',
  2: 'run --check: outputs differ from those stored in the notebook, or none are stored; fetch --check: a source has changed',
  3: 'run --types block: a notebook has type errors or cannot be checked, so it did not run; fetch and reconcile: incomplete; ingest: an input that was named is in no known format, the others were ingested',
  4: 'run --timeout: a cell did not end in time',
  5: 'query: no record mentions a wallet that was asked for, or no market has the condition id, token, slug, event or category',
  64: 'wrong usage: an unknown option, parameter or value; run and convert: a missing file, too',
} as const;

/** The exit code of the command after an error. */
export function exitCodeOf(error: unknown): keyof typeof EXIT_CODES {
  if (error instanceof CommanderError) return error.exitCode === 0 ? 0 : 64;
  if (error instanceof UsageError) return 64;
  if (error instanceof NotSeenError) return 5;
  if (error instanceof CellTimeoutError) return 4;
  if (error instanceof TypeCheckError || error instanceof IncompleteError) return 3;
  if (error instanceof DriftError) return 2;
  return 1;
}

/**
 * Exit codes, the worst first: failed, wrong usage, out of time, type errors or incomplete, a wallet that was never
 * seen, outputs that differ.
 */
export const WORST_FIRST: readonly (keyof typeof EXIT_CODES)[] = [1, 64, 4, 3, 5, 2];

/**
 * Joins the failures of one run into one error with the messages of all. It has the class of the worst, which decides
 * the exit code. A single failure is returned as it is.
 *
 * @param summary Last line if there are several failures. Default: none.
 */
export function joinedErrors(failures: readonly unknown[], summary?: string): unknown {
  const ranks = failures.map((failure) => WORST_FIRST.indexOf(exitCodeOf(failure)));
  const worst = failures[ranks.indexOf(leastOf(ranks))];
  if (failures.length === 1 || !(worst instanceof OddslabError)) return worst;
  const messages = failures.map(messageOf);
  const text = [...messages, ...(summary === undefined ? [] : [summary])].join('\n\n');
  const Class = worst.constructor as new (message: string, options: ErrorOptions) => OddslabError;
  return new Class(text, { cause: worst });
}

/** The signals by which a user ends a command. */
export const SIGNALS = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const;

/**
 * Settles once a user ends a command that runs until then. A second signal of the same kind ends the process at once.
 *
 * @returns The signal; undefined if the parent process has ended.
 */
export async function toldToStop(): Promise<(typeof SIGNALS)[number] | undefined> {
  return new Promise((stop) => {
    for (const signal of SIGNALS) process.once(signal, () => stop(signal));
    // A process that openLab() started ends with its parent, however that ended.
    if (process.channel) process.once('disconnect', () => stop(undefined));
  });
}

/**
 * Runs work that Ctrl-C can end cleanly: the first SIGINT, SIGTERM or SIGHUP aborts the work, and once it has cleaned
 * up, the process ends as if by that signal. A second signal ends the process at once.
 *
 * @param left What is told of what the work leaves behind.
 */
export async function interruptible<T>(
  work: (signal: AbortSignal) => Promise<T>,
  left = 'nothing half-made was left behind',
): Promise<T> {
  const controller = new AbortController();
  let received: NodeJS.Signals | undefined;
  const stop = (signal: NodeJS.Signals): void => {
    received = signal;
    controller.abort(new OddslabError(`Ended by ${signal}.`));
  };
  for (const signal of SIGNALS) process.once(signal, stop);
  try {
    return await work(controller.signal);
  } finally {
    for (const signal of SIGNALS) process.off(signal, stop);
    if (received) {
      process.stderr.write(`oddslab: ended by ${received}; ${left}.\n`);
      process.kill(process.pid, received);
    }
  }
}

/** Colours an error's text for a terminal, if asked to: the first line bold, marked lines of code frames red. */
export function paintError(text: string, isColoured: boolean): string {
  if (!isColoured) return text;
  const [first = '', ...rest] = text.split('\n');
  const painted = rest.map((line) =>
    /^(> +\d+| +) \|/.test(line) && /^>|\^$/.test(line) ? `\x1b[31m${line}\x1b[39m` : line,
  );
  return [`\x1b[1m${first}\x1b[22m`, ...painted].join('\n');
}
