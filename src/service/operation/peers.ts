import type { MetricsSnapshot } from './sum-metrics.js';
import type { Allowance, Buckets } from './token-buckets.js';

/** What a process offers to the other processes of its service. */
export interface Peer {
  /** What this process has counted. */
  metrics(): Promise<MetricsSnapshot>;
  /** Has the keys read anew at the next request, because another process has made or revoked one. */
  forgetKeys(): void;
}

/** The processes of one service, seen from one of them. */
export interface Peers {
  /** Registers this process with the others; to be called once. */
  join(peer: Peer): void;
  /**
   * Token buckets that count for all processes together.
   *
   * @param sort What is counted; each sort has its own buckets.
   */
  buckets(sort: string, allowance: Allowance): Buckets;
  /** What all processes have counted, including this one and those that have ended. */
  metrics(): Promise<MetricsSnapshot[]>;
  /** Tells the others that a key was made or revoked here. */
  keysChanged(): void;
}
