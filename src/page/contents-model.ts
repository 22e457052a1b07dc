import { constants, type Stats } from 'node:fs';
import { access, stat } from 'node:fs/promises';
import { partsOf } from './contained-folder.js';
import { missing } from './part-file.js';
import { PageRefusal } from './refusal.js';

/** The largest file that the page shows or saves at once, in bytes: it is held in memory several times over. */
const MOST_SHOWN = 64 * 1024 * 1024;

/** A file or folder, as Jupyter's contents interface words it. */
export interface ContentsModel {
  name: string;
  path: string;
  created: string;
  last_modified: string;
  writable: boolean;
  /** Bytes; null for folders. */
  size: number | null;
  type: 'directory' | 'file' | 'notebook';
  mimetype: string | null;
  content: unknown;
  format: 'json' | 'text' | 'base64' | null;
  hash: string | null;
  hash_algorithm: string | null;
}

/** What of a file is asked for. */
export interface Asked {
  /** Default: what the name says. */
  type?: string | undefined;
  format?: string | undefined;
  /** Default true. */
  content?: boolean;
  /** Whether to give a digest of its bytes. Default false. */
  hash?: boolean;
  /** Which page asks; those that give themselves no name count as one. */
  page?: string;
}

/** What is to be saved. */
export interface Saved {
  type?: unknown;
  format?: unknown;
  content?: unknown;
  /** Number of a piece of an upload, from 1 on; -1 for the last. */
  chunk?: unknown;
}

/** What is told of a file or folder without its content. */
export async function modelOf(path: string, full: string, status?: Stats): Promise<Omit<ContentsModel, 'type'>> {
  const found = status ?? (await stat(full));
  // A file of this user is what its permissions say; to ask the system for each would make long folders slow.
  const isOwn = status !== undefined && found.uid === process.geteuid?.();
  const isWritable = isOwn ? (found.mode & 0o200) !== 0 : (found.mode & 0o222) !== 0 && (await mayWrite(full));
  return {
    name: partsOf(path).at(-1) ?? '',
    path: partsOf(path).join('/'),
    created: found.birthtime.toISOString(),
    last_modified: found.mtime.toISOString(),
    writable: isWritable,
    size: found.isDirectory() ? null : found.size,
    mimetype: null,
    content: null,
    format: null,
    hash: null,
    hash_algorithm: null,
  };
}

function mayWrite(full: string): Promise<boolean> {
  return access(full, constants.W_OK).then(
    () => true,
    () => false,
  );
}

/** Whoever may write into the folder could replace a file that is protected; so could root. */
export async function requireWritable(real: string, path: string): Promise<void> {
  const found = await stat(real).catch((error) => missing(error));
  if (!found) return;
  if ((found.mode & 0o222) !== 0 && (await mayWrite(real))) return;
  throw new PageRefusal(403, `${path} is read-only: change its permissions, or save under another name.`);
}

/** The content of a file as it was asked for: by default as text, if it is some. */
export function contentOf(path: string, bytes: Buffer, format: string | undefined, mimetype: string | null) {
  const text = format === 'base64' ? undefined : utf8(bytes);
  if (text === undefined && format === 'text') throw new PageRefusal(400, `${path} is no text: it is not UTF-8.`);
  if (text === undefined) return { mimetype, format: 'base64' as const, content: bytes.toString('base64') };
  const isUnknown = mimetype === null || mimetype === 'application/octet-stream';
  return { mimetype: isUnknown ? 'text/plain' : mimetype, format: 'text' as const, content: text };
}

/** The bytes of a file to be saved. @throws {PageRefusal} 400 if the content is not what its format says. */
export function bytesOf({ format, content, type }: Saved): Buffer {
  if (type !== undefined && type !== 'file')
    throw new PageRefusal(400, 'The `type` must be directory, file or notebook.');
  if (content === undefined || content === null) return Buffer.alloc(0);
  if (typeof content !== 'string') throw new PageRefusal(400, 'The `content` of a file must be a text.');
  if (format === 'text' || format === undefined || format === null) return utf8Of(content);
  if (format !== 'base64') throw new PageRefusal(400, 'The `format` of a file must be text or base64.');
  if (!/^[A-Za-z0-9+/=\s]*$/.test(content)) throw new PageRefusal(400, 'The `content` is no base64.');
  return Buffer.from(content, 'base64');
}

/** The UTF-8 bytes of a text. @throws {PageRefusal} 400 if it holds half a sign, which would be lost. */
export function utf8Of(text: string): Buffer {
  const half = /\p{Surrogate}/u.exec(text);
  if (!half) return Buffer.from(text);
  const line = text.slice(0, half.index).split('\n').length;
  throw new PageRefusal(
    400,
    `Line ${line} holds half of a sign (a lone surrogate), which no file can hold: remove it.`,
  );
}

/** The text of UTF-8 bytes, with a byte order mark if there is one; undefined if they are something else. */
export function utf8(bytes: Buffer | undefined): string | undefined {
  if (bytes === undefined) return undefined;
  try {
    return new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes);
  } catch {
    return undefined;
  }
}

/**
 * Refuses a file that would fill the memory. What the page could not open again, it does not save either.
 *
 * @throws {PageRefusal} 413 if it is too large.
 */
export function requireShown(path: string, size: number, doing: 'opens' | 'saves'): void {
  if (size <= MOST_SHOWN) return;
  const mega = (bytes: number) => `${Math.ceil(bytes / 1024 / 1024)} MB`;
  const remedy = doing === 'opens' ? 'Read it in a cell, or download it' : 'Clear large outputs, or write it in a cell';
  throw new PageRefusal(413, `${path} has ${mega(size)}; the page ${doing} at most ${mega(MOST_SHOWN)}. ${remedy}.`);
}
