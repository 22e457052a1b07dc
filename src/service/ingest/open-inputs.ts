import { createWriteStream } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import type { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { InputError } from '../../base/errors.js';
import { systemErrorCode } from '../../base/whole-file.js';
import { MANIFEST_NAME, readManifest } from '../simulate/manifest.js';
import { contentOf } from './bytes.js';
import { checkZstd } from './check-zstd.js';
import { findInputs, STDIN } from './find-inputs.js';
import { FORMATS, type Format, formatOf } from './format.js';
import { MOST_DIGITS, parquetColumns, readHead } from './head.js';
import { mappedFormat } from './mapped-format.js';
import type { Mapping } from './mapping-schema.js';
import type { Input } from './stage.js';

/** Options for opening inputs. */
export interface OpenOptions {
  /** The data folder. */
  folder: string;
  /** A folder for what must be written to a file before it can be read: stdin and compressed Parquet. */
  scratch: string;
  /** What `-` stands for. */
  stdin: Readable;
  mapping?: Mapping | undefined;
  /** Id of the one format that inputs may have; `mapping` for that of the mapping. */
  format?: string | undefined;
}

/** Inputs of known formats, and the others with the reason. The manifest of `oddslab simulate` is in neither list. */
export interface OpenedInputs {
  inputs: Input[];
  left: { path: string; why: string }[];
}

/**
 * Reads how inputs begin and finds their formats. Files of no known format are left, as long as another has one.
 *
 * @throws {InputError} If an input is missing, has another format than asked for, or none has a known format.
 */
export async function openInputs(paths: readonly string[], options: OpenOptions): Promise<OpenedInputs> {
  const mapped = options.mapping && mappedFormat(options.mapping);
  const opened: OpenedInputs = { inputs: [], left: [] };
  let first: Error | undefined;
  for (const [index, { path, inFolder }] of (await findInputs(paths, options.folder)).entries()) {
    const file = path === STDIN ? await spoolStdin(options.stdin, join(options.scratch, `input-${index}`)) : path;
    const input = await openInput(path === STDIN ? 'stdin' : path, file, { ...options, mapped }, index).catch(
      (error: unknown) => {
        if (error instanceof UnknownFormat || (inFolder && error instanceof InputError)) return error;
        throw error;
      },
    );
    if (!(input instanceof Error)) opened.inputs.push(input);
    else {
      first ??= input;
      if (!(await describesSample(path))) opened.left.push({ path, why: input.message });
    }
  }
  if (opened.inputs.length === 0 && first) {
    throw new InputError(`${first.message} Ingest knows ${FORMATS.map(({ name }) => name).join(', ')}.`);
  }
  if (mapped && !opened.inputs.some(({ format }) => format === mapped)) {
    const why = first ? ` ${first.message}` : '';
    throw new InputError(`No input has the columns that the mapping names: ${mapped.required.join(', ')}.${why}`);
  }
  return opened;
}

/** Whether a file is the manifest that `oddslab simulate` writes beside a sample: it holds no records. */
async function describesSample(path: string): Promise<boolean> {
  return basename(path) === MANIFEST_NAME && (await readManifest(dirname(path))) !== undefined;
}

/** The refusal of an input whose format is not known; it is harmless as long as other inputs have a known one. */
class UnknownFormat extends InputError {}

async function openInput(
  path: string,
  file: string,
  { scratch, mapped, format: only }: OpenOptions & { mapped: Format | undefined },
  index: number,
): Promise<Input> {
  let head = await readHead(path, file);
  let place = file;
  const known = (names: readonly string[]) =>
    mapped?.required.every((name) => names.includes(name)) ? mapped : formatOf(names);
  // Damage must not be mistaken for an unknown format, nor go unnoticed when Parquet is unpacked.
  if (head.compression === 'zstd' && !known(head.names)) await checkZstd(path, file);
  if (head.kind === 'parquet' && head.compression !== 'none') {
    place = await spool(contentOf(path, file, head.compression), join(scratch, `unpacked-${index}`));
    head = { ...head, compression: 'none', ...(await parquetColumns(path, place)) };
  }
  const format = known(head.names);
  if (!format) throw new UnknownFormat(`${path} ${unknown(head.names, mapped)}`);
  if (only !== undefined && only !== (format === mapped ? 'mapping' : format.id)) {
    throw new InputError(`${path} holds ${format.name}, not what --format ${only} says.`);
  }
  const wide = [...format.required, ...format.optional].find((name) => head.tooWide.has(name));
  if (wide !== undefined) {
    throw new InputError(
      `${path} has decimals of more than ${MOST_DIGITS} digits in "${wide}", which cannot be read: write this column as ` +
        `DECIMAL(${MOST_DIGITS}, …) or as text.`,
    );
  }
  return { path, file: place, head, format };
}

function unknown(names: readonly string[], mapped: Format | undefined): string {
  const lacking = mapped?.required.filter((name) => !names.includes(name)) ?? [];
  const found = names.slice(0, 8).join(', ') || '(none)';
  if (mapped && lacking.length < mapped.required.length) {
    return `lacks columns that the mapping names: ${lacking.join(', ')}; it has ${found}.`;
  }
  return `has no format that ingest knows: its first record has the fields ${found}.`;
}

async function spoolStdin(stdin: Readable, file: string): Promise<string> {
  return spool(stdin, file).catch((cause: unknown) => {
    if (stdin.errored !== cause) throw cause;
    throw new InputError(`Cannot read stdin: ${systemErrorCode(cause) ?? cause}.`, { cause });
  });
}

async function spool(content: AsyncIterable<Uint8Array> | Readable, file: string): Promise<string> {
  await pipeline(content, createWriteStream(file));
  return file;
}
