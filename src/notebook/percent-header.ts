import { Document, parseDocument, visit } from 'yaml';
import { InputError } from '../base/errors.js';
import { plainNumber } from './json-text/exact-json.js';
import { isRecord } from './record-fields.js';

/** The header of a file in percent format. */
export interface PercentHeader {
  /** The notebook's metadata. */
  metadata: Record<string, unknown>;
  /** Other contents of the header, as YAML between lines of dashes; a notebook keeps them as its first raw cell. */
  other?: string;
  /** Number of lines, including an empty line after the header. */
  lines: number;
}

/** Texts that every YAML reader takes as text even without quotes. */
const PLAIN = /^(?!(?:y|n|yes|no|on|off|true|false|null|nan|inf)$)[A-Za-z](?:[\w ()./+-]*[\w)/+-])?$/i;

/**
 * Reads the header of a file in percent format: YAML in comments between two lines `// ---`. A line `#!…` above it
 * names the program that executes the file; as in jupytext, it becomes `jupytext.executable` in the metadata.
 *
 * @param name How errors call the file.
 * @returns Empty metadata and 0 lines if there is no header.
 * @throws {InputError} If the header is not YAML.
 */
export function parseHeader(lines: readonly string[], name: string): PercentHeader {
  const executable = /^#!(.+)$/.exec(lines[0] ?? '')?.[1];
  if (executable === undefined) return parseYamlHeader(lines, name);
  const { metadata, ...header } = parseYamlHeader(lines.slice(1), name);
  const jupytext = { ...Object(metadata.jupytext), executable };
  return { ...header, metadata: { ...metadata, jupytext }, lines: header.lines + 1 };
}

function parseYamlHeader(lines: readonly string[], name: string): PercentHeader {
  const none = { metadata: {}, lines: 0 };
  if (!/^\/\/ ?---\s*$/.test(lines[0] ?? '')) return none;
  const end = lines.findIndex((line, index) => index > 0 && /^\/\/ ?---\s*$/.test(line));
  const inner = lines.slice(1, end);
  if (end === -1 || !inner.every((line) => line.startsWith('//'))) return none;
  const value = parseYaml(inner.map((line) => line.replace(/^\/\/ ?/, '')).join('\n'), name);
  if (!isRecord(value)) return none;
  const { jupyter, ...others } = value;
  const other = Object.keys(others).length > 0 ? { other: `---\n${yamlOf(others)}---` } : {};
  return {
    metadata: isRecord(jupyter) ? jupyter : {},
    ...other,
    lines: end + (lines[end + 1]?.trim() === '' ? 2 : 1),
  };
}

/** Writes a notebook's metadata as the lines of a header, as `parseHeader` reads them; none if there is no metadata. */
export function headerLines(metadata: Record<string, unknown>): string[] {
  const { executable, ...jupytext } = Object(metadata.jupytext);
  if (typeof executable === 'string' && /^.+$/.test(executable)) {
    const { jupytext: _, ...others } = metadata;
    const rest = Object.keys(jupytext).length > 0 ? { ...metadata, jupytext } : others;
    return [`#!${executable}`, ...headerLines(rest)];
  }
  if (Object.keys(metadata).length === 0) return [];
  const yaml = yamlOf({ jupyter: metadata }).trimEnd().split('\n');
  return ['// ---', ...yaml.map((line) => `// ${line}`), '// ---', ''];
}

function yamlOf(value: Record<string, unknown>): string {
  const document = new Document(value, { aliasDuplicateObjects: false });
  visit(document, {
    Scalar(_, node) {
      if (typeof node.value === 'string' && !PLAIN.test(node.value)) node.type = 'QUOTE_DOUBLE';
    },
  });
  // YAML leaves these line separators as they are, and they would end a comment.
  const text = document.toString({ lineWidth: 0 });
  return text.replace(/[\u0085\u2028\u2029]/g, (letter) => `\\u${letter.charCodeAt(0).toString(16).padStart(4, '0')}`);
}

function parseYaml(text: string, name: string): unknown {
  try {
    const document = parseDocument(text);
    const [error] = document.errors;
    if (error) throw error;
    keepDigits(document);
    return document.toJS();
  } catch (cause) {
    const reason = cause instanceof Error ? cause.message.split('\n', 1)[0] : String(cause);
    throw new InputError(`${name}: the header between the lines "// ---" is no YAML: ${reason}`, { cause });
  }
}

/** Turns whole numbers that a double would round into bigints. */
function keepDigits(document: Document.Parsed): void {
  visit(document, {
    Scalar(_, node) {
      const digits = typeof node.value === 'number' && /^-?\d{16,}$/.exec(node.source ?? '')?.[0];
      if (digits) node.value = plainNumber(BigInt(digits));
    },
  });
}
