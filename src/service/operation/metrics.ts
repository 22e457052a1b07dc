import { setTimeout as sleep } from 'node:timers/promises';
import type { Counter, Histogram, Registry } from 'prom-client';
import type { RequestLine } from '../http/request-record.js';
import type { ServedData } from '../store/served-data.js';

/** Values that are asked of the service when the metrics are read. */
interface Gauges {
  inFlight(): number;
  /** The number of queries that wait for their turn. */
  queued(): number;
  connections(): number;
  readonly stores: Pick<ServedData, 'version' | 'state'>;
}

/** Upper bounds of the latency histogram, in seconds. */
const BUCKETS = [0.0005, 0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10];

/** The metrics of a service, in Prometheus' text format. Their library loads in the background. */
export class Metrics {
  readonly #loading: Promise<Loaded>;

  constructor(gauges: Gauges) {
    this.#loading = loadPrometheus(gauges);
    // Reading the metrics reports a failure; nothing else needs it.
    this.#loading.catch(() => {});
  }

  count(line: RequestLine): void {
    this.#loading.then(
      ({ count }) => count(line),
      () => {},
    );
  }

  /**
   * Reads the metrics as text, with its content type.
   *
   * @param peers The processes of the service, if there are several: then their metrics together.
   */
  async read(peers?: { metrics(): Promise<MetricsSnapshot[]> }): Promise<{ text: string; type: string }> {
    if (peers) return sumMetrics(await peers.metrics());
    const { registry, beforeReading } = await this.#loading;
    await beforeReading();
    return { text: await registry.metrics(), type: registry.contentType };
  }

  /** What this process has counted, for the other processes. */
  async snapshot(): Promise<MetricsSnapshot> {
    const { registry, beforeReading } = await this.#loading;
    await beforeReading();
    return (await registry.getMetricsAsJSON()) as unknown as MetricsSnapshot;
  }
}

interface Loaded {
  readonly registry: Registry;
  readonly count: (line: RequestLine) => void;
  readonly beforeReading: () => Promise<void>;
}

async function loadPrometheus(gauges: Gauges): Promise<Loaded> {
  const prometheus = await import('prom-client');
  const registry = new prometheus.Registry();
  const registers = [registry];
  const requests: Counter = new prometheus.Counter({
    name: 'oddslab_requests_total',
    help: 'Requests answered, by route, dataset and status; 499 where the client left before.',
    labelNames: ['route', 'dataset', 'status'],
    registers,
  });
  const seconds: Histogram = new prometheus.Histogram({
    name: 'oddslab_request_seconds',
    help: 'Seconds from the headers of a request to the last byte of its answer, by route and dataset.',
    labelNames: ['route', 'dataset'],
    buckets: BUCKETS,
    registers,
  });
  addGauges(prometheus, registers, gauges);
  let watching: Promise<void> | undefined;
  return {
    registry,
    count({ route, dataset, status, ms }) {
      const of = { route, dataset: dataset === undefined ? '' : String(dataset) };
      requests.inc({ ...of, status: String(status) });
      seconds.observe(of, ms / 1000);
    },
    beforeReading() {
      // Only once the metrics are read, since it watches the event loop and the garbage collector from then on.
      watching ??= watchProcess(prometheus, registry);
      return watching;
    },
  };
}

function addGauges(prometheus: typeof import('prom-client'), registers: Registry[], gauges: Gauges): void {
  const { inFlight, queued, connections, stores } = gauges;
  // Of several processes, the highest value of a gauge of the data counts, which is the worst.
  const gauge = (name: string, help: string, read: () => number, aggregator: 'sum' | 'max' | 'min' = 'sum') =>
    new prometheus.Gauge({
      name,
      help,
      registers,
      aggregator,
      collect() {
        this.set(read());
      },
    });
  gauge('oddslab_requests_in_flight', 'Requests under way.', inFlight);
  gauge('oddslab_queries_queued', 'Queries that wait for their turn.', queued);
  gauge('oddslab_connections', 'Open connections.', connections);
  const problem = 'Whether not all of the current version of the data could be served.';
  gauge('oddslab_data_problem', problem, () => Number(stores.state().problem !== undefined), 'max');
  const readable = 'Whether a version of the data is served that can be read; 0 where /readyz is 503 for that.';
  gauge('oddslab_data_ready', readable, () => Number(stores.state().served !== undefined), 'min');
  new prometheus.Gauge({
    name: 'oddslab_data_version',
    help: 'Always 1; its label tells the version of the data that is served. Absent without data.',
    labelNames: ['version'],
    registers,
    aggregator: 'max',
    collect() {
      const version = stores.version()?.id;
      this.reset();
      if (version !== undefined) this.set({ version }, 1);
    },
  });
  const age = 'Seconds since the data that are served were made; NaN without data.';
  gauge(
    'oddslab_data_age_seconds',
    age,
    () => (Date.now() - (stores.version()?.createdMs ?? Number.NaN)) / 1000,
    'max',
  );
}

/** How long the event loop must be watched before its lag can be read; earlier, there are only placeholder values. */
const WATCHED_MS = 50;

/**
 * Adds metrics of the process itself: memory, CPU, event loop, garbage collector.
 *
 * @returns Settles once there is something to read.
 */
async function watchProcess(prometheus: typeof import('prom-client'), registry: Registry): Promise<void> {
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

/** What a process offers to the other processes of its service. */
export interface Peer {
  /** What this process has counted. */
  metrics(): Promise<MetricsSnapshot>;
}

/** A metric of one process as it is sent to another: prom-client's JSON. */
interface SentMetric {
  readonly name: string;
  readonly help: string;
  readonly type: 'counter' | 'gauge' | 'histogram' | 'summary';
  /** How the values of several processes are combined. */
  readonly aggregator: string;
  /** A value is null if it was NaN, which JSON does not know. */
  readonly values: readonly { readonly value: number | null; readonly labels: Readonly<Record<string, unknown>> }[];
}

/** The metrics of one process at a moment. */
export type MetricsSnapshot = readonly SentMetric[];

/**
 * Combines the metrics of several processes: counters and histograms are added up, gauges follow their own aggregator.
 *
 * @returns The text in Prometheus' format with its content type, and a snapshot.
 */
export async function sumMetrics(
  snapshots: readonly MetricsSnapshot[],
): Promise<{ text: string; type: string; snapshot: MetricsSnapshot }> {
  const { AggregatorRegistry } = await import('prom-client');
  // Its declarations call a metric's type a number, where it is text.
  const registry = AggregatorRegistry.aggregate(snapshots.map((each) => each.map(withNumbers)) as unknown as object[]);
  const snapshot = (await registry.getMetricsAsJSON()) as unknown as MetricsSnapshot;
  return { text: await registry.metrics(), type: registry.contentType, snapshot };
}

function withNumbers(metric: SentMetric): SentMetric {
  return { ...metric, values: metric.values.map((each) => ({ ...each, value: each.value ?? Number.NaN })) };
}
