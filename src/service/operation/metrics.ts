import { setTimeout as sleep } from 'node:timers/promises';
import type { Counter, Gauge, Histogram, Registry } from 'prom-client';
import type { RequestLine } from '../http/request-record.js';
import { type MetricsSnapshot, type Peers, sumMetrics } from './peers.js';

/** Values that are asked of the service when the metrics are read. */
interface Gauges {
  inFlight(): number;
  /** The number of queries that wait for their turn. */
  queued(): number;
  connections(): number;
  /** Undefined without data. */
  data(): DataGauges | undefined;
}

/** What the metrics show about the served data. */
export interface DataGauges {
  /** The id of their version. */
  version: string;
  /** When they were made, in milliseconds since 1970. */
  createdMs: number;
  /** Whether another version should be served, but cannot be. */
  hasProblem: boolean;
}

/** Upper bounds of the latency histogram, in seconds. */
const BUCKETS = [0.0005, 0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10];

/** The metrics of a service, in Prometheus' text format. Their library loads in the background. */
export class Metrics {
  /** Requests that ended before the library was loaded. */
  readonly #early: RequestLine[] = [];
  readonly #loading: Promise<Loaded>;
  #loaded: Loaded | undefined;

  constructor(gauges: Gauges) {
    this.#loading = loadPrometheus(gauges).then((loaded) => {
      this.#loaded = loaded;
      for (const line of this.#early.splice(0)) loaded.count(line);
      return loaded;
    });
    // Reading the metrics reports a failure; nothing else needs it.
    this.#loading.catch(() => {});
  }

  count(line: RequestLine): void {
    if (this.#loaded) this.#loaded.count(line);
    else this.#early.push(line);
  }

  /**
   * Reads the metrics as text, with its content type.
   *
   * @param peers The processes of the service, if there are several: then their metrics together.
   */
  async read(peers?: Peers): Promise<{ text: string; type: string }> {
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
  count(line: RequestLine): void;
  beforeReading(): Promise<void>;
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
  const gauge: AddGauge = (name, help, collect, { labelNames = [], aggregator = 'sum' } = {}) =>
    new prometheus.Gauge({ name, help, labelNames, registers, collect, aggregator });
  addGauges(gauge, gauges);
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

type AddGauge = (
  name: string,
  help: string,
  collect: (this: Gauge) => void,
  options?: { labelNames?: string[]; aggregator?: 'sum' | 'max' },
) => void;

function addGauges(gauge: AddGauge, { inFlight, queued, connections, data }: Gauges): void {
  gauge('oddslab_requests_in_flight', 'Requests under way.', function () {
    this.set(inFlight());
  });
  gauge('oddslab_queries_queued', 'Queries that wait for their turn.', function () {
    this.set(queued());
  });
  gauge('oddslab_connections', 'Open connections.', function () {
    this.set(connections());
  });
  addDataGauges(gauge, data);
}

/** Adds gauges of the data; of several processes, the highest value counts, which is the worst. */
function addDataGauges(gauge: AddGauge, data: Gauges['data']): void {
  const aggregator = 'max';
  gauge(
    'oddslab_data_problem',
    'Whether the current version of the data could not be served.',
    function () {
      this.set(data()?.hasProblem ? 1 : 0);
    },
    { aggregator },
  );
  const help = 'Always 1; its label tells the version of the data that is served. Absent without data.';
  gauge(
    'oddslab_data_version',
    help,
    function () {
      const version = data()?.version;
      this.reset();
      if (version !== undefined) this.set({ version }, 1);
    },
    { labelNames: ['version'], aggregator },
  );
  gauge(
    'oddslab_data_age_seconds',
    'Seconds since the data that are served were made; NaN without data.',
    function () {
      const created = data()?.createdMs;
      this.set(created === undefined ? Number.NaN : (Date.now() - created) / 1000);
    },
    { aggregator },
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
