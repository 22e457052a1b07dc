import type { MetricsSnapshot } from './sum-metrics.js';
import type { Allowance, Buckets } from './token-buckets.js';

/** What the other processes of a service ask of one. */
export interface Peer {
  /** What it has counted itself. */
  metrics(): Promise<MetricsSnapshot>;
  /** Reads the keys anew at the next request: another process has made or revoked one. */
  forgetKeys(): void;
}

/** The processes of one service, as one of them sees them. */
export interface Peers {
  /** Makes a process known to the others, once. */
  join(peer: Peer): void;
  /**
   * Token buckets that count for all processes together.
   *
   * @param sort What is counted: each sort has buckets of its own.
   */
  buckets(sort: string, allowance: Allowance): Buckets;
  /** What every process has counted, this one and those that have ended among them. */
  metrics(): Promise<MetricsSnapshot[]>;
  /** Tells the others that a key was made or revoked here. */
  keysChanged(): void;
}
