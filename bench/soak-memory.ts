/** What a process held over time. */
export interface Memory {
  readonly name: string;
  /** Seconds since the run began, and MB. */
  readonly samples: readonly (readonly [second: number, megabytes: number])[];
}

/** Whether memory is flat. */
export interface MemoryVerdict {
  readonly name: string;
  /** Of the part that is judged; the mean. */
  readonly megabytes: number;
  /** By least squares over the part that is judged: MB that are gained over it. */
  readonly growth: number;
  readonly seconds: number;
  /** Undefined where the process did not live long enough to be judged. */
  readonly isFlat: boolean | undefined;
}

/** What is left aside of a process's life: its caches fill, its code is compiled. */
const WARM_UP = 1 / 2;

/** A shorter part is not judged: one garbage collection would decide. */
const LEAST_SECONDS = 60;

/** How much may be gained over the part that is judged: a tenth of the mean and this. */
const NOISE_MB = 8;

/**
 * The rule: of a process's life the first half is left aside. Over the rest, of at least 60 seconds, the straight line
 * through its memory may rise by a tenth of the mean and 8 MB in all.
 */
export function memoryVerdict({ name, samples }: Memory): MemoryVerdict {
  const [first, last] = [samples[0]?.[0] ?? 0, samples.at(-1)?.[0] ?? 0];
  const judged = samples.filter(([second]) => second >= first + (last - first) * WARM_UP);
  const seconds = last - (judged[0]?.[0] ?? last);
  const megabytes = mean(judged.map(([, each]) => each));
  const growth = slopeOf(judged) * seconds;
  const isFlat = seconds < LEAST_SECONDS ? undefined : growth <= megabytes / 10 + NOISE_MB;
  return { name, megabytes, growth, seconds, isFlat };
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
