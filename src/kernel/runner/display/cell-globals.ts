import type { CellOutlets } from '../cell-outlets.js';
import { askReader } from './ask-reader.js';
import { Comms } from './comms.js';
import { createDisplay } from './create-display.js';

/** Not a name that a cell could use up: libraries look for it, as our client does. */
const PROGRESS = Symbol.for('oddslab.progress');

/**
 * The globals by which cells show, ask and talk to front ends: `display`, `input`, `prompt`, `confirm`, `password` and
 * `comms`. What they do is written in `cell-globals.d.ts`.
 */
export function defineCellGlobals(outlets: CellOutlets): Record<string | symbol, unknown> {
  const comms = new Comms((comm) => outlets.sendComm(comm));
  outlets.onComm((comm) => comms.receive(comm));
  return {
    display: createDisplay(outlets),
    ...askReader((request) => outlets.ask(request)),
    comms: comms.api,
    [PROGRESS]: (text: unknown) => outlets.emit({ type: 'progress', text: String(text) }),
  };
}
