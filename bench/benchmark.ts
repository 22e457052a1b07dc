/** One way to do what a benchmark measures. */
export interface Contender {
  name: string;
  /** Whether it is measured only once and without a warm-up, because it takes many seconds. */
  slow?: true;
  /**
   * Prepares everything that is not part of the measurement.
   *
   * @returns `measure`, which takes one measurement in the benchmark's unit, and `end`, which cleans up.
   * @throws Unavailable If it cannot run on this machine.
   */
  prepare(): Promise<{ measure(): Promise<number>; end?(): Promise<void> | void }>;
}

/** Thrown by a contender that cannot run here; the reason is reported. */
export class Unavailable extends Error {}

/** A benchmark: oddslab and its peers are measured in turn, in the same run. */
export interface Benchmark {
  area: 'service' | 'fetch' | 'client' | 'frames' | 'exports' | 'kernel' | 'page' | 'analysis' | 'charts';
  /** What is done, with its size. */
  bench: string;
  /** What is measured, with its unit. */
  metric: string;
  better: 'less' | 'more';
  /** Measurements of each contender after a warm-up. Default 7. */
  rounds?: number;
  ours: Contender;
  /** What ours is compared with. `target` is the least {@link Result.ratio} to reach. */
  peers: { contender: Contender; target: number }[];
}

/** One line of the result: ours against one peer. */
export interface Result {
  bench: string;
  metric: string;
  ours: number | null;
  peer: string;
  peerValue: number | null;
  /** How many times better ours is; below 1, ours is worse. */
  ratio: number | null;
  target: number;
  ok: boolean;
  /** Why a value is missing. */
  note?: string;
}
