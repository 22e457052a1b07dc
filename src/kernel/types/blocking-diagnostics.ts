import type { Diagnostic } from './type-service.js';

/** The diagnostics that keep a cell from running where types block, in a kernel or under `oddslab run`. */
export function blockingDiagnostics(diagnostics: Diagnostic[]): Diagnostic[] {
  return diagnostics.filter(({ severity }) => severity === 'error');
}
