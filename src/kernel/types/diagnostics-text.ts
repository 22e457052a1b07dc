import { codeFrame } from '../runner/code-frame.js';
import type { Diagnostic } from './type-service.js';

/**
 * Diagnostics as a user reads them under a cell: place, number and message, then the lines around the place.
 *
 * @param diagnostics Of one cell; hints are left out.
 * @param code The cell's text.
 * @param name What the cell is called.
 * @returns Ends with a line break; empty where there is nothing to say.
 * @example diagnosticsText(found, code, 'cell 3'); // "cell 3:2:5 - error TS2322: Type 'number' is not …\n\n  1 | …"
 */
export function diagnosticsText(diagnostics: Diagnostic[], code: string, name: string): string {
  return diagnostics
    .filter(({ severity }) => severity !== 'hint')
    .map(({ severity, code: number, message, start }) => {
      const head = `${name}:${start.line}:${start.column} - ${severity} TS${number}: ${message}\n`;
      const frame = codeFrame(code, start);
      return frame.length > 0 ? `${head}\n${frame.join('\n')}\n` : head;
    })
    .join('\n');
}
