import type { Diagnostic } from './type-service.js';

/** Those of a cell's diagnostics for which it does not run, in a kernel or by `oddslab run`, where types block. */
export function blockingDiagnostics(diagnostics: Diagnostic[]): Diagnostic[] {
  return diagnostics.filter(({ severity }) => severity === 'error');
}
