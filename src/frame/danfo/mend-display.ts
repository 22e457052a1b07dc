import { inspect } from 'node:util';
import { toCsv } from '../csv/csv.js';
import { displayFrame } from '../display/display-frame.js';
import { toText } from '../display/text.js';
import { provenanceOf } from '../provenance.js';
import { recordsOf } from '../records-of.js';
import { type Internals, type Mending, replaceMethods } from './danfo-internals.js';

/**
 * Makes frames show themselves in notebooks, in `console.log`, and by `print` and `toString`, where danfo's table shows
 * raw digits. It also adds their provenance, and `toCSV` and `toJSON`, which danfo's own frames refuse: they return the
 * CSV of `toCsv` and the records.
 */
export function mendDisplay(prototype: Internals): void {
  replaceMethods(prototype, {
    [Symbol.for('Jupyter.display')]: of(displayFrame),
    [inspect.custom]: of((frame) => toText(frame)),
    // Danfo's print writes this text.
    toString: of((frame) => toText(frame)),
    toCSV: of((frame) => toCsv(frame)),
    toJSON: of((frame) => recordsOf(frame)),
  });
  Object.defineProperty(prototype, 'provenance', {
    configurable: true,
    get(this: Internals) {
      return provenanceOf(this);
    },
  });
}

function of(answer: (frame: Internals) => unknown): Mending {
  return () =>
    function () {
      return answer(this);
    };
}
