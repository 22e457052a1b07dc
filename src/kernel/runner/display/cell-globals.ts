import type { CellOutlets } from '../cell-outlets.js';
import { askReader } from './ask-reader.js';
import { Comms } from './comms.js';
import { createDisplay } from './create-display.js';

/** A symbol, so that no cell's name can hide it; libraries look for it, as the client does. */
const PROGRESS = Symbol.for('oddslab.progress');

/**
 * Defines the globals by which cells show, ask and talk to front ends: `display`, `input`, `prompt`, `confirm`,
 * `password` and `comms`. `cell-globals.d.ts` documents them.
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
