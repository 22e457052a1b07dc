/** The memory of a process over time. */
export interface Memory {
  readonly name: string;
  /** Pairs of seconds since the run began and MB. */
  readonly samples: readonly (readonly [second: number, megabytes: number])[];
}

/** Whether a process's memory is flat. */
export interface MemoryVerdict {
  readonly name: string;
  /** MB at the first, the middle and the last sample. */
  readonly over: readonly [begin: number, middle: number, end: number];
  /** The seconds of its first and last sample since the run began. */
  readonly lived: readonly [from: number, to: number];
  /** Mean over the judged part. */
  readonly megabytes: number;
  /** MB gained over the judged part, by least squares. */
  readonly growth: number;
  readonly seconds: number;
  /** Undefined if the process did not live long enough to be judged. */
  readonly isFlat: boolean | undefined;
}

/** Share of a process's life that is ignored, while its caches fill and its code is compiled. */
const WARM_UP = 1 / 2;

/** A shorter part is not judged: a single garbage collection would decide. */
const LEAST_SECONDS = 60;

/** The judged part may gain a tenth of its mean plus this. */
const NOISE_MB = 8;

/**
 * Judges memory. The first half of a process's life is ignored. Over the rest, of at least 60 seconds, the straight
 * line through its memory may rise by a tenth of the mean plus 8 MB.
 */
export function memoryVerdict({ name, samples }: Memory): MemoryVerdict {
  const [first, last] = [samples[0]?.[0] ?? 0, samples.at(-1)?.[0] ?? 0];
  const judged = samples.filter(([second]) => second >= first + (last - first) * WARM_UP);
  const seconds = last - (judged[0]?.[0] ?? last);
  const megabytes = mean(judged.map(([, each]) => each));
  const growth = slopeOf(judged) * seconds;
  const isFlat = seconds < LEAST_SECONDS ? undefined : growth <= megabytes / 10 + NOISE_MB;
  const at = (share: number) => samples[Math.round(share * (samples.length - 1))]?.[1] ?? 0;
  return { name, over: [at(0), at(0.5), at(1)], lived: [first, last], megabytes, growth, seconds, isFlat };
}

function slopeOf(samples: Memory['samples']): number {
  const [x, y] = [mean(samples.map(([second]) => second)), mean(samples.map(([, megabytes]) => megabytes))];
  let [over, under] = [0, 0];
  for (const [second, megabytes] of samples) {
    over += (second - x) * (megabytes - y);
    under += (second - x) ** 2;
  }
  return under === 0 ? 0 : over / under;
}

function mean(values: readonly number[]): number {
  return values.reduce((sum, each) => sum + each, 0) / Math.max(1, values.length);
}
