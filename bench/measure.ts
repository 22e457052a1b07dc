import { type Benchmark, type Contender, type Result, Unavailable } from './benchmark.js';

const ROUNDS = 7;

type Ready = Awaited<ReturnType<Contender['prepare']>> & { name: string; slow: boolean; values: number[] };

/** Measures ours and every peer in turn, round by round after a warm-up, and compares medians. */
export async function measure(benchmark: Benchmark): Promise<Result[]> {
  const contenders = [benchmark.ours, ...benchmark.peers.map(({ contender }) => contender)];
  const ready: Ready[] = [];
  const missing = new Map<string, string>();
  try {
    for (const contender of contenders) {
      try {
        ready.push({ ...(await contender.prepare()), name: contender.name, slow: contender.slow ?? false, values: [] });
      } catch (error) {
        if (!(error instanceof Unavailable)) throw error;
        missing.set(contender.name, error.message);
      }
    }
    for (let round = 0; round <= (benchmark.rounds ?? ROUNDS); round++) {
      for (const contender of ready) {
        if (contender.slow && round !== 1) continue;
        globalThis.gc?.();
        const value = await contender.measure();
        if (round > 0) contender.values.push(value);
      }
    }
  } finally {
    for (const contender of ready) await contender.end?.();
  }
  const medianOf = (name: string) => median(ready.find((contender) => contender.name === name)?.values ?? []);
  return benchmark.peers.map(({ contender, target }) => compare(benchmark, contender.name, target, medianOf, missing));
}

function compare(
  { bench, metric, better, ours }: Benchmark,
  peer: string,
  target: number,
  medianOf: (name: string) => number | null,
  missing: ReadonlyMap<string, string>,
): Result {
  const [own, other] = [medianOf(ours.name), medianOf(peer)];
  const ratio = own === null || other === null ? null : better === 'less' ? other / own : own / other;
  const note = missing.get(ours.name) ?? missing.get(peer);
  const result = {
    bench,
    metric,
    ours: own,
    peer,
    peerValue: other,
    ratio,
    target,
    ok: ratio !== null && ratio >= target,
  };
  return note === undefined ? result : { ...result, note };
}

function median(values: readonly number[]): number | null {
  if (values.length === 0) return null;
  const sorted = [...values].sort((a, b) => a - b);
  const middle = sorted.length >> 1;
  const upper = sorted[middle] ?? Number.NaN;
  return sorted.length % 2 === 1 ? upper : ((sorted[middle - 1] ?? Number.NaN) + upper) / 2;
}
