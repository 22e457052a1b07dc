import type { Settings } from '../operation/settings/settings.js';
import type { MetricsSnapshot } from '../operation/sum-metrics.js';
import type { Allowance, Taken } from '../operation/token-buckets.js';

/** What a worker is started with. */
export interface Start {
  readonly settings: Settings;
  /** Whether log lines are for people, and sign-in links may be shown: where a terminal reads them. */
  readonly isTerminal: boolean;
}

/** An error on its way between processes. */
export interface SentError {
  readonly name: string;
  readonly message: string;
  readonly stack?: string | undefined;
}

/** What a worker says to the process that started it. */
export type FromWorker =
  | { readonly type: 'awake' }
  | { readonly type: 'ready'; readonly url: string }
  | { readonly type: 'failed'; readonly error: SentError }
  | { readonly type: 'keysChanged' }
  | { readonly type: 'metricsWanted' }
  | { readonly type: 'metrics'; readonly snapshot: MetricsSnapshot }
  /** Names of one sort, each of which a token is to be taken for; answered in this order. */
  | {
      readonly type: 'take';
      readonly id: number;
      readonly sort: string;
      readonly allowance: Allowance;
      readonly names: readonly string[];
    };

/** What a worker is told. */
export type ToWorker =
  | { readonly type: 'start'; readonly start: Start }
  | { readonly type: 'stop' }
  | { readonly type: 'keysChanged' }
  | { readonly type: 'metricsWanted' }
  | { readonly type: 'metricsOfAll'; readonly snapshots: readonly MetricsSnapshot[] }
  | { readonly type: 'taken'; readonly id: number; readonly taken: readonly Taken[] };
