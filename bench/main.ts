import { analysisBenchmarks } from './analysis.js';
import { analysisMarketBenchmarks } from './analysis-markets.js';
import type { Benchmark, Result } from './benchmark.js';
import { chartBenchmarks } from './charts.js';
import { clientBenchmarks } from './client.js';
import { exportBenchmarks } from './exports.js';
import { fetchBenchmarks } from './fetch.js';
import { frameBenchmarks } from './frames.js';
import { kernelBenchmarks } from './kernel.js';
import { measure } from './measure.js';
import { pageBenchmarks } from './page.js';
import { serviceBenchmarks } from './service.js';

const all: Record<Benchmark['area'], Benchmark[]> = {
  service: serviceBenchmarks,
  fetch: fetchBenchmarks,
  client: clientBenchmarks,
  frames: frameBenchmarks,
  exports: exportBenchmarks,
  kernel: kernelBenchmarks,
  page: pageBenchmarks,
  analysis: [...analysisBenchmarks, ...analysisMarketBenchmarks],
  charts: chartBenchmarks,
};

const words = process.argv.slice(2);
const asJson = words.includes('--json');
const areas = words.filter((word) => word !== '--json');
const unknown = areas.find((area) => !(area in all));
if (unknown !== undefined) {
  console.error(`There is no area "${unknown}": npm run bench [-- ${Object.keys(all).join('|')}…] [--json]`);
  process.exit(64);
}
for (const [area, benchmarks] of Object.entries(all)) {
  if (areas.length > 0 && !areas.includes(area)) continue;
  for (const benchmark of benchmarks) {
    for (const result of await measure(benchmark)) console.log(asJson ? JSON.stringify(result) : line(area, result));
  }
}

function line(area: string, { bench, metric, ours, peer, peerValue, ratio, target, ok, note }: Result): string {
  const head = `${area} · ${bench} · ${metric}`;
  if (ratio === null) return `${head}\n  against ${peer}: not measured here: ${note}`;
  const verdict = ok ? 'reached' : 'MISSED';
  return `${head}\n  ${figure(ours)} against ${peer} ${figure(peerValue)}: ${ratio.toFixed(2)}× (target ${target}×, ${verdict})`;
}

function figure(value: number | null): string {
  return value === null ? '–' : value.toLocaleString('en-US', { maximumSignificantDigits: 4 });
}
