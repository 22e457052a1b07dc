/** One way to do what a benchmark measures. */
export interface Contender {
  name: string;
  /** Measured once, without a warm-up: it takes many seconds. */
  slow?: true;
  /**
   * Makes everything ready that is not measured.
   *
   * @returns One measurement, in the benchmark's unit, and what ends it.
   * @throws Unavailable If it cannot run on this machine.
   */
  prepare(): Promise<{ measure(): Promise<number>; end?(): Promise<void> | void }>;
}

/** Thrown by a contender that cannot run here; the reason is reported. */
export class Unavailable extends Error {}

/** Something measured for us and for our peers, in turn, in the same run. */
export interface Benchmark {
  area: 'service' | 'client' | 'frames' | 'exports' | 'kernel' | 'analysis' | 'charts';
  /** What is done, with its size. */
  bench: string;
  /** What is measured, with its unit. */
  metric: string;
  better: 'less' | 'more';
  /** How often each is measured after a warm-up. Default 7. */
  rounds?: number;
  ours: Contender;
  /** Each with the least ratio that we aim at: how many times better than it we are. */
  peers: { contender: Contender; target: number }[];
}

/** One line of the result: ours against one peer. */
export interface Result {
  bench: string;
  metric: string;
  ours: number | null;
  peer: string;
  peerValue: number | null;
  /** How many times better ours is; below 1 it is worse. */
  ratio: number | null;
  target: number;
  ok: boolean;
  /** Why a value is missing. */
  note?: string;
}
