import { configFault, type ProjectOptions, projectOptions } from '../transform/project-options.js';
import { nameOf } from './find-local.js';

const told = new Set<string>();

/** The options of code in a folder; says once for each fault that its tsconfig.json cannot be read. */
export function knownProject(folder: string): ProjectOptions {
  warnOfConfig(folder);
  return projectOptions(folder);
}

/** Warns under the running cell of a tsconfig.json that cannot be read, so that nothing of it holds; once for each fault. */
export function warnOfConfig(folder: string): void {
  const fault = configFault(folder);
  if (!fault) return;
  const place = `${nameOf(fault.file, folder)}${fault.at ? `:${fault.at.line}:${fault.at.column}` : ''}`;
  const warning = `${place} is no JSON, so nothing of that file holds: ${fault.message}`;
  if (told.has(warning)) return;
  told.add(warning);
  process.stderr.write(`${warning}\n`);
}
