import { execFileSync } from 'node:child_process';
import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { packageRoot } from '../../src/base/packages.js';
import { ingest } from '../../src/service/ingest/ingest-inputs.js';
import { madeInput } from '../ingest.js';
import { ownPeakMb } from '../own-peak.js';

// Prints the peak memory of a process, in MB, that ingests fetched activity and then, on top, the same with a tenth more.
// Another process makes the files, so that this does not count. What is told on the way goes to stderr.
const [rows = '', folder] = process.argv.slice(2);
if (folder === undefined) {
  const run = (...words: string[]) =>
    execFileSync(
      process.execPath,
      [join(packageRoot(), 'scripts/run-ts.mjs'), fileURLToPath(import.meta.url), rows, ...words],
      { encoding: 'utf8', stdio: ['ignore', 'pipe', 'inherit'] },
    );
  const first = await madeInput(Number(rows), 'fetched');
  const grown = await madeInput(Math.ceil(Number(rows) * 1.1), 'fetched');
  try {
    console.log(run(first, grown).trim());
  } finally {
    for (const made of [first, grown]) await rm(made, { recursive: true });
  }
} else {
  for (const input of process.argv.slice(3)) {
    const start = performance.now();
    const { version } = await ingest({ folder: join(folder, 'data'), inputs: [join(input, 'raw')] });
    const { events = 0 } = version.manifest.totals;
    const rate = Math.round((events * 1000) / (performance.now() - start));
    console.error(`${events} events: ${rate} a second, ${ownPeakMb()} MB`);
  }
  console.log(ownPeakMb());
}
