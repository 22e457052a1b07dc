import { readFile } from 'node:fs/promises';
import type { z } from 'zod';
import { InputError } from '../../base/errors.js';
import { systemErrorCode } from '../../base/whole-file.js';
import { type Mapping, mappingSchema } from './mapping-schema.js';

/**
 * Reads a mapping file.
 *
 * @throws {InputError} If it cannot be read, is no JSON or no valid mapping; the message names each faulty place.
 */
export async function readMapping(path: string): Promise<Mapping> {
  const text = await readFile(path, 'utf8').catch((cause: unknown) => {
    const why = systemErrorCode(cause) === 'ENOENT' ? 'no such file' : (systemErrorCode(cause) ?? String(cause));
    throw new InputError(`Cannot read the mapping ${path}: ${why}.`, { cause });
  });
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch (cause) {
    throw new InputError(`The mapping ${path} is no JSON: ${(cause as Error).message}.`, { cause });
  }
  const { success, data, error } = mappingSchema.safeParse(value);
  if (success) return data;
  const faults = error.issues.map((issue) => `  ${pointer(issue)}: ${fault(issue)}`);
  throw new InputError(
    `The mapping ${path} is not valid:\n${faults.join('\n')}\nAn example stands in \`oddslab ingest --help\`.`,
    { cause: error },
  );
}

function pointer({ path }: z.core.$ZodIssue): string {
  return path.length === 0 ? 'at its top' : `at /${path.map(String).join('/')}`;
}

function fault(issue: z.core.$ZodIssue): string {
  if (issue.code === 'unrecognized_keys') return `${issue.keys.map((key) => `"${key}"`).join(', ')} is not known here`;
  if (issue.code === 'invalid_union') return 'should be "fills" or "markets"';
  if (issue.code === 'invalid_value')
    return `should be ${issue.values.map((word) => `"${String(word)}"`).join(' or ')}`;
  if (issue.code === 'invalid_type')
    return `should be ${issue.expected === 'string' ? 'the name of a column' : `an ${issue.expected}`}`;
  return issue.message;
}
