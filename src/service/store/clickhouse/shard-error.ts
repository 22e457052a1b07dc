import { DataError } from '../../../errors.js';

/**
 * Why a shard did not do what it was asked: it cannot be reached, it is busy (or took too long), it lacks what was asked
 * for or does not let us in, or it failed on the statement itself.
 */
export type ShardFault = 'unreachable' | 'busy' | 'lacking' | 'failed';

/** A shard of a ClickHouse cluster did not do what it was asked. */
export class ShardError extends DataError {
  override name = 'ShardError';
  readonly fault: ShardFault;

  constructor(message: string, fault: ShardFault, options?: ErrorOptions) {
    super(message, options);
    this.fault = fault;
  }
}

/** Too slow, too many at once, too much memory. */
const BUSY = new Set([159, 160, 202, 209, 210, 241, 252, 394]);

/** No such table or database; unknown user, wrong password, not allowed. */
const LACKING = new Set([60, 81, 192, 193, 194, 195, 497, 516]);

/**
 * The error that tells of a server's refusal.
 *
 * @param shown Address of the server.
 * @param text What the server answered.
 */
export function refusal(shown: string, status: number, text: string): ShardError {
  const [, number] = /Code: (\d+)/.exec(text) ?? [];
  const code = Number(number);
  const [line = ''] = text.split('\n', 1);
  const said = line
    .replace(/, e\.what\(\) = .*$/, '')
    .slice(0, 300)
    .replace(/[.\s]*$/, '');
  // A server that has no code for it is none of ClickHouse: a proxy before one that is gone.
  const gone = number === undefined && status >= 502 && status <= 504;
  const fault = gone ? 'unreachable' : BUSY.has(code) ? 'busy' : LACKING.has(code) ? 'lacking' : 'failed';
  return new ShardError(`ClickHouse at ${shown} refused (HTTP ${status}): ${said || 'it did not say why'}.`, fault);
}
