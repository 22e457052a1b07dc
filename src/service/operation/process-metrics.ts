import { setTimeout as sleep } from 'node:timers/promises';
import type { Counter, Registry } from 'prom-client';

/** How long the event loop must be watched before its lag can be read; earlier, there are only placeholder values. */
const WATCHED_MS = 50;

/**
 * Adds metrics of the process itself: memory, CPU, event loop, garbage collector.
 *
 * @returns Settles once there is something to read.
 */
export async function watchProcess(prometheus: typeof import('prom-client'), registry: Registry): Promise<void> {
  prometheus.collectDefaultMetrics({ register: registry });
  countEarlierCpu(registry);
  keepLagWatched(registry);
  await sleep(2 * WATCHED_MS);
}

/** Adds the CPU time that the process has used so far, since the library counts from its own start. */
function countEarlierCpu(registry: Registry): void {
  const { user, system } = process.cpuUsage();
  const earlier = { user_: user, system_: system, '': user + system };
  for (const [part, micros] of Object.entries(earlier)) {
    (registry.getSingleMetric(`process_cpu_${part}seconds_total`) as Counter | undefined)?.inc(micros / 1e6);
  }
}

/** Each reading restarts the measurement of the lag. One soon after another is skipped, and keeps its values. */
function keepLagWatched(registry: Registry): void {
  const lag = registry.getSingleMetric('nodejs_eventloop_lag_seconds') as { collect?: () => void } | undefined;
  const collect = lag?.collect?.bind(lag);
  if (!lag || !collect) return;
  let sinceMs = performance.now();
  lag.collect = () => {
    if (performance.now() - sinceMs < WATCHED_MS) return;
    sinceMs = performance.now();
    collect();
  };
}
