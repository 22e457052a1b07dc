import { join } from 'node:path';
import type { Version } from '../service/folder/version.js';
import type { Steps } from './steps.js';

/**
 * Makes the sample market in a data folder and ingests it. A sample made before that has not changed is used again.
 *
 * @returns The current version of the data.
 * @throws {DataError} If the folder cannot be written, or another ingest is writing to it.
 */
export async function sampleData(data: string, steps: Steps, signal: AbortSignal): Promise<Version> {
  const { simulate } = await import('../service/sample/simulate-sample.js');
  const sample = await simulate({
    out: join(data, 'sample'),
    signal,
    onProgress: ({ fills, of }) => steps.doing(`simulating the sample market: ${Math.floor((100 * fills) / of)}%`),
  });
  const { counts } = sample.manifest;
  steps.done(
    `${sample.reused ? 'reused' : 'simulated'} the sample market: ${counts.markets} markets, ${counts.fills} fills`,
  );
  const { ingest } = await import('../service/ingest/ingest-inputs.js');
  const onProgress = (doing: string) => steps.doing(doing);
  const { version, reports } = await ingest({ folder: data, inputs: sample.files, onProgress, signal });
  steps.done(`${reports.length > 0 ? 'ingested' : 'reused'} the data of ${data} (version ${version.name})`);
  return version;
}
