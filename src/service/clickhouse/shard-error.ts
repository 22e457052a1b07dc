import { DataError } from '../../base/errors.js';
import { RESULT_TABLES } from './result-tables.js';

/**
 * Why a shard did not do what it was asked:
 *
 * - `unreachable`: it cannot be reached;
 * - `busy`: it is overloaded, or took too long;
 * - `lacking`: it lacks the table or database, or refuses the login;
 * - `failed`: it failed on the statement itself.
 */
type ShardFault = 'unreachable' | 'busy' | 'lacking' | 'failed';

/** A shard of a ClickHouse cluster did not do what it was asked. */
export class ShardError extends DataError {
  override name = 'ShardError';
  readonly fault: ShardFault;

  constructor(message: string, fault: ShardFault, options?: ErrorOptions) {
    super(message, options);
    this.fault = fault;
  }
}

/** Codes for too slow, too many at once, too much memory. */
const BUSY = new Set([159, 160, 202, 209, 210, 241, 252, 394]);

/** Codes for an unknown table, database or user, a wrong password, a lack of rights. */
const LACKING = new Set([60, 81, 192, 193, 194, 195, 497, 516]);

/** The error for a server's refusal. @param text Its answer. */
export function refusal(shown: string, status: number, text: string): ShardError {
  const [, number] = /Code: (\d+)/.exec(text) ?? [];
  const code = Number(number);
  const [line = ''] = text.split('\n', 1);
  const said = line
    .replace(/, e\.what\(\) = .*$/, '')
    .slice(0, 300)
    .replace(/[.\s]*$/, '');
  // An answer without a code is not ClickHouse's: it comes from a proxy in front of a server that is gone.
  const gone = number === undefined && status >= 502 && status <= 504;
  const fault = gone ? 'unreachable' : BUSY.has(code) ? 'busy' : LACKING.has(code) ? 'lacking' : 'failed';
  return new ShardError(`ClickHouse at ${shown} refused (HTTP ${status}): ${said || 'it did not say why'}.`, fault);
}

/** The server's error for an unknown table or column, of those that versions of earlier releases lack. */
const LATER_TABLES = RESULT_TABLES.flatMap(({ name, isLater }) => (isLater ? [name] : [])).join('|');
const NO_LATER_TABLE = new RegExp(`Code: 60\\b.*_(${LATER_TABLES})\\b|Code: 47\\b.*\\b(closed|close_ms)\\b`, 's');

/** Whether a shard has no table or column that a statement needs, since an earlier release pushed the version. */
export function tellsNotBuilt(error: unknown): boolean {
  return error instanceof ShardError && NO_LATER_TABLE.test(error.message);
}
