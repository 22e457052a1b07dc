import type { Log } from '../operation/log.js';
import { wholeLines } from './whole-lines.js';

/** The beginning of every line of a worker's own log. */
const OURS = '{"level":';

/**
 * Puts what a worker writes to stderr into the common log. Lines of the worker's log stay as they are; anything else,
 * such as the last output of a process that runs out of memory, becomes a line that names the worker.
 *
 * @param isTerminal Whether lines are for people: then all stay as they are.
 * @returns A function that takes the text; called without any, it passes on what is left.
 */
export function logLines(log: Log, worker: number, isTerminal: boolean): (text?: string) => void {
  return wholeLines((lines) => {
    const each = lines.slice(0, -1).split('\n');
    if (isTerminal || each.every((line) => line.startsWith(OURS))) {
      log.forward(lines);
      return;
    }
    for (const line of each) {
      if (line.startsWith(OURS)) log.forward(`${line}\n`);
      else if (line.trim() !== '') log.worker('worker wrote', { worker, text: line }, true);
    }
  });
}
