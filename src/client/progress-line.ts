import { counted } from '../base/texts.js';
import type { Progress } from './progress.js';

/** A terminal, as far as a line of progress needs it. */
export interface Terminal {
  readonly isTTY?: boolean;
  readonly columns?: number;
  write(text: string): unknown;
}

/** A line that shows the progress of a query. */
export interface ProgressLine {
  update(progress: Progress): void;
  /** Removes the line. */
  end(): void;
}

/** Global function in cells of Oddslab's kernel that shows a line of progress in place of the one before. */
const NOTEBOOK = Symbol.for('oddslab.progress');

const QUIET_MS = 1000;
const REFRESH_MS = 200;
const BAR = 20;
/** Back to the first column, and clear the line. */
const CLEAR = '\r\u001b[K';

/**
 * Shows the progress of a query on a terminal or in a notebook's cell, from one second after its start on. Shows
 * nothing if `terminal` is a file or a pipe. The line has no colours.
 *
 * @param title What is queried.
 * @param most The largest number of records, for the bar.
 */
export function progressLine(terminal: Terminal, title: string, most?: number): ProgressLine | undefined {
  const show = placeOf(terminal);
  if (!show) return undefined;
  const start = performance.now();
  let latest: Progress | undefined;
  let isShown = false;
  const draw = () => {
    const elapsedMs = performance.now() - start;
    if (elapsedMs < QUIET_MS) return;
    const text = latest ? progressText(title, { ...latest, elapsedMs }, most) : `${title}: waiting for the first page`;
    show(text);
    isShown = true;
  };
  const timer = setInterval(draw, REFRESH_MS);
  timer.unref();
  return {
    update(progress) {
      latest = progress;
    },
    end() {
      clearInterval(timer);
      if (isShown) show('');
    },
  };
}

/** A function that shows a line in place of the one before; an empty line removes it. */
function placeOf(terminal: Terminal): ((line: string) => void) | undefined {
  const notebook: unknown = Reflect.get(globalThis, NOTEBOOK);
  if (typeof notebook === 'function') return (line) => notebook(line);
  if (!terminal.isTTY || process.env.TERM === 'dumb') return undefined;
  return (line) => terminal.write(CLEAR + line.slice(0, (terminal.columns || 80) - 1));
}

/** The progress as one line, with a bar if the end is known. */
export function progressText(title: string, progress: Progress, most?: number): string {
  const { records, pages, series, seriesDone, waitedMs, elapsedMs } = progress;
  const share = Math.max(series > 1 ? seriesDone / series : 0, most === undefined ? 0 : records / most);
  const filled = Math.min(BAR, Math.round(share * BAR));
  const parts = [
    `${title}:`,
    ...(series > 1 || most !== undefined ? [`${'█'.repeat(filled)}${'░'.repeat(BAR - filled)}`] : []),
    `${counted(records, 'record')} in ${counted(pages, 'page')},`,
    ...(series > 1 ? [`${seriesDone} of ${series} wallets,`] : []),
    ...(waitedMs >= 1000 ? [`waited ${seconds(waitedMs)},`] : []),
    seconds(elapsedMs),
  ];
  return parts.join(' ');
}

function seconds(ms: number): string {
  return `${(ms / 1000).toFixed(1)} s`;
}
