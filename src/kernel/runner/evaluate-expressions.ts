import type { ExpressionOutcome } from '../events.js';
import type { FaultReporter } from './fault-reporter.js';
import { mimeBundle } from './mime-bundle.js';

/**
 * Evaluates expressions in order. One that fails does not keep the others from being evaluated.
 *
 * @param evaluate Returns an expression's value.
 */
export async function evaluateExpressions(
  expressions: Record<string, string>,
  evaluate: (code: string) => Promise<unknown>,
  reporter: FaultReporter,
): Promise<Record<string, ExpressionOutcome>> {
  const outcomes: [string, ExpressionOutcome][] = [];
  for (const [name, code] of Object.entries(expressions)) {
    try {
      const bundle = await mimeBundle(await evaluate(code));
      const { data, metadata } = bundle ?? { data: { 'text/plain': 'undefined' }, metadata: {} };
      outcomes.push([name, { status: 'ok', data, metadata }]);
    } catch (thrown) {
      outcomes.push([name, { status: 'error', fault: reporter.thrown(thrown) }]);
    }
  }
  return Object.fromEntries(outcomes);
}
