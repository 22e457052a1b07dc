import { codeFrame } from '../runner/code-frame.js';
import type { Diagnostic } from './type-service.js';

/**
 * Most diagnostics written for one cell. Nobody reads more, and writing all those of a large cell could take minutes.
 */
const MOST_TOLD = 100;

/**
 * Diagnostics as shown under a cell: place, number and message, then the lines around the place; at most the first
 * hundred and how many more there are.
 *
 * @param diagnostics Diagnostics of one cell; hints are left out.
 * @param code The cell's text.
 * @param name The cell's name.
 * @returns Text that ends with a line break; empty if there is nothing to report.
 * @example diagnosticsText(found, code, 'cell 3'); // "cell 3:2:5 - error TS2322: Type 'number' is not …\n\n  1 | …"
 */
export function diagnosticsText(diagnostics: Diagnostic[], code: string, name: string): string {
  const told = diagnostics.filter(({ severity }) => severity !== 'hint');
  const texts = told.slice(0, MOST_TOLD).map(({ severity, code: number, message, start }) => {
    const head = `${name}:${start.line}:${start.column} - ${severity} TS${number}: ${message}\n`;
    const frame = codeFrame(code, start);
    return frame.length > 0 ? `${head}\n${frame.join('\n')}\n` : head;
  });
  if (told.length > MOST_TOLD) texts.push(`… and ${told.length - MOST_TOLD} more in ${name}.\n`);
  return texts.join('\n');
}
