import type { Settings } from '../operation/settings/settings.js';
import type { MetricsSnapshot } from '../operation/sum-metrics.js';
import type { Allowance, Taken } from '../operation/token-buckets.js';

/** What a worker is started with. */
export interface Start {
  readonly settings: Settings;
  /** Whether stderr is a terminal: then log lines are for people, and sign-in links may be shown. */
  readonly isTerminal: boolean;
}

/** An error as it is sent between processes. */
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
  | { readonly type: 'keysChanged' }
  | { readonly type: 'metricsWanted' }
  | { readonly type: 'metrics'; readonly snapshot: MetricsSnapshot }
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
  | { readonly type: 'start'; readonly start: Start }
  | { readonly type: 'stop' }
  | { readonly type: 'keysChanged' }
  | { readonly type: 'metricsWanted' }
  | { readonly type: 'metricsOfAll'; readonly snapshots: readonly MetricsSnapshot[] }
  | { readonly type: 'taken'; readonly id: number; readonly taken: readonly Taken[] };
