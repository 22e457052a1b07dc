import { DataError, InputError, OddslabError, UsageError } from '../../base/errors.js';
import type { MetricsSnapshot } from '../operation/metrics.js';
import type { Allowance, Taken } from '../operation/token-buckets.js';
import type { Settings } from '../settings/settings.js';

export interface WorkerStart {
  readonly settings: Settings;
  /** Whether stderr is a terminal: then log lines are for people, and sign-in links may be shown. */
  readonly isTerminal: boolean;
  /** Whether another one answers all queries, so that this one need not start where it could answer less. */
  readonly mustBeWhole: boolean;
}

export interface SentError {
  readonly name: string;
  readonly message: string;
  readonly stack?: string | undefined;
}

/** A message of a worker to the primary. */
export type FromWorker =
  | { readonly type: 'awake' }
  | { readonly type: 'ready'; readonly url: string }
  | { readonly type: 'failed'; readonly error: SentError }
  | { readonly type: 'metricsWanted' }
  | { readonly type: 'metrics'; readonly snapshot: MetricsSnapshot }
  /** It listens no longer, since it was told to stop. */
  | { readonly type: 'unbound' }
  /** Whether it can answer all queries, or there are no data yet; said at the start and at each change. */
  | { readonly type: 'data'; readonly isWhole: boolean }
  /** Asks for a token for each of some names of one sort; the answer has the same order. */
  | {
      readonly type: 'take';
      readonly id: number;
      readonly sort: string;
      readonly allowance: Allowance;
      readonly names: readonly string[];
    };

/** A message of the primary to a worker. */
export type ToWorker =
  | { readonly type: 'start'; readonly start: WorkerStart }
  | { readonly type: 'stop' }
  | { readonly type: 'metricsWanted' }
  | { readonly type: 'metricsOfAll'; readonly snapshots: readonly MetricsSnapshot[] }
  /** No process of the service listens any longer. */
  | { readonly type: 'allUnbound' }
  /** Whether another worker cannot answer all queries. */
  | { readonly type: 'othersLack'; readonly isSo: boolean }
  | { readonly type: 'taken'; readonly id: number; readonly taken: readonly Taken[] };

const ERROR_CLASSES = { DataError, InputError, OddslabError, UsageError };

/** Makes an error ready to be sent to another process. */
export function sentError(error: unknown): SentError {
  if (!(error instanceof Error)) return { name: 'Error', message: String(error) };
  const { name, message, stack } = error;
  return { name, message, stack };
}

/** Makes the error that was sent, of the same class, so that the command reports it and ends as with one process. */
export function receivedError({ name, message, stack }: SentError): Error {
  const error = Object.hasOwn(ERROR_CLASSES, name)
    ? new ERROR_CLASSES[name as keyof typeof ERROR_CLASSES](message)
    : new Error(message);
  if (stack !== undefined) error.stack = stack;
  return error;
}
