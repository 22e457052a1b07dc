import { UsageError } from '../base/errors.js';
import type { TypesMode } from '../kernel/types/type-service.js';
import type { GivenParameter } from '../notebook/parameters/given-parameters.js';
import type { RunOptions } from './run-options.js';

/** The flags of `oddslab run` as given on the command line. */
export interface RunFlags {
  param?: string[];
  params?: string;
  helpNotebook?: boolean;
  out: string;
  html?: boolean;
  check?: boolean;
  tolerance?: string;
  sanitize?: string[];
  timeout?: number;
  allowErrors?: boolean;
  types: TypesMode;
  jobs: number;
}

/**
 * Converts flags to the options of a run.
 *
 * @param isOutGiven Whether the user gave `out`; otherwise `--check` writes nothing.
 * @throws {UsageError} If flags contradict each other or have invalid values, or the file of parameters is not valid.
 */
export async function runFlagsOptions(flags: RunFlags, isOutGiven: boolean): Promise<RunOptions> {
  const { out, html = false, timeout, allowErrors = false, types, jobs } = flags;
  const check = await checkOptions(flags);
  const writes = !check || isOutGiven;
  if (html && !writes) throw new UsageError('--html needs a folder where --check is given: name it by --out.');
  return {
    ...(writes ? { out } : {}),
    ...(check ? { check } : {}),
    ...(timeout === undefined ? {} : { timeoutMs: timeout * 1000 }),
    ...{ html, allowErrors, types, jobs },
    parameters: await givenParameters(flags),
  };
}

async function checkOptions({ check, tolerance, sanitize = [] }: RunFlags): Promise<RunOptions['check']> {
  const stray = tolerance === undefined ? sanitize.length > 0 && '--sanitize' : '--tolerance';
  if (!check && stray) throw new UsageError(`${stray} says how outputs are compared: give --check too.`);
  if (!check) return undefined;
  const { parseSanitizer } = await import('../notebook/check/sanitizer.js');
  return {
    sanitize: sanitize.flatMap(parseSanitizer),
    ...(tolerance === undefined ? {} : { tolerance: toleranceOf(tolerance) }),
    isColoured: process.stderr.isTTY && process.stderr.hasColors(),
  };
}

function toleranceOf(text: string): number {
  const value = /^(\d+\.?\d*|\.\d+)(e[+-]?\d+)?$/i.test(text) ? Number(text) : Number.NaN;
  if (value >= 0 && value <= 1) return value;
  throw new UsageError(`--tolerance must be a number from 0 to 1, such as 1e-6; got ${JSON.stringify(text)}.`);
}

async function givenParameters({ param = [], params }: RunFlags): Promise<GivenParameter[]> {
  if (param.length === 0 && params === undefined) return [];
  const { givenByText } = await import('../notebook/parameters/given-parameters.js');
  const { readParameterFile } = await import('../notebook/parameters/given-parameters.js');
  const byText = param.map(givenByText);
  const names = byText.map(({ name }) => name);
  const twice = names.find((name, i) => names.indexOf(name) !== i);
  if (twice !== undefined) throw new UsageError(`-p gives ${twice} twice: give it once.`);
  return [...(params === undefined ? [] : await readParameterFile(params)), ...byText];
}
