import { DriftError, SourceError } from '../base/errors.js';
import { counted } from '../base/texts.js';
import { checkSources, type SourceCheck } from '../fetch/check-sources.js';
import { changeText } from '../fetch/drift.js';
import type { SourceFlags } from './fetch-flags.js';
import { withSources } from './run-fetch.js';
import { rowsText, Status } from './terminal-output.js';

/** Runs `oddslab fetch --check`: prints a row for each source that a fetch may use, then what has changed. */
export async function checkTheSources(flags: SourceFlags, signal: AbortSignal): Promise<void> {
  const status = new Status();
  status.show('asking one page of each source');
  const checks = await withSources(flags, status, signal, (sources) => checkSources(sources));
  const rows = checks.map((check) => [check.source, check.path, stateOf(check), check.records, check.changes.length]);
  process.stdout.write(rowsText(['SOURCE', 'PATH', 'STATE', 'RECORDS', 'CHANGES'], rows, process.stdout.isTTY));
  const changes = checks.flatMap((check) => check.changes.map((change) => `  ${changeText(change)}`));
  const failed = checks.filter(({ failure }) => failure !== undefined);
  const text = [
    ...failed.map(({ failure }) => `  ${failure}`),
    ...(changes.length > 0 ? ['What is new is kept in the raw files, and left out of the ledger:', ...changes] : []),
  ].join('\n');
  if (failed.length > 0) {
    throw new SourceError(`${counted(failed.length, 'question')} of ${checks.length} had no usable answer:\n${text}`, {
      kind: 'failing',
    });
  }
  if (changes.length > 0) throw new DriftError(`The sources have changed.\n${text}`);
}

function stateOf({ failure, changes, records }: SourceCheck): string {
  if (failure !== undefined) return 'failed';
  if (changes.length > 0) return 'changed';
  return records === 0 ? 'empty' : 'ok';
}
