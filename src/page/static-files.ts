import { readdir, readFile } from 'node:fs/promises';
import { extname, join, relative } from 'node:path';
import { promisify } from 'node:util';
import { brotliDecompress } from 'node:zlib';
import { sha256 } from './digest.js';
import { PageRefusal } from './refusal.js';

const TYPES: Readonly<Record<string, string>> = {
  '.js': 'text/javascript; charset=utf-8',
  '.css': 'text/css; charset=utf-8',
  '.json': 'application/json',
  '.svg': 'image/svg+xml',
  '.png': 'image/png',
  '.woff': 'font/woff',
  '.woff2': 'font/woff2',
  '.ttf': 'font/ttf',
};

/** A file whose name holds a digest of its content never changes. */
const NAMED_BY_CONTENT = /-[A-Z0-9]{8}\.\w+$/;

/**
 * The files of the front end. Those that compress lie there compressed alone, as `.br`, and are sent as they are to
 * every browser that takes them so. Paths are looked up in the list of the folder's files, so none leads out of it.
 */
export class StaticFiles {
  readonly #folder: string;
  #names: Promise<ReadonlySet<string>> | undefined;
  readonly #tags = new Map<string, string>();

  /** @param folder The built front end. */
  constructor(folder: string) {
    this.#folder = folder;
  }

  /**
   * Answers with a file.
   *
   * @param path Below the folder, with slashes.
   * @throws {PageRefusal} 404 if there is none.
   */
  async answer(path: string, headers: Headers): Promise<Response> {
    const names = await this.#list();
    const isCompressed = names.has(`${path}.br`);
    if (!isCompressed && !names.has(path)) throw new PageRefusal(404, `The front end has no file ${path}.`);
    const isTaken = isCompressed && takesBrotli(headers.get('accept-encoding') ?? '');
    const about = {
      'content-type': TYPES[extname(path)] ?? 'application/octet-stream',
      'cache-control': NAMED_BY_CONTENT.test(path) ? 'private, max-age=31536000, immutable' : 'no-cache',
      ...(isCompressed ? { vary: 'accept-encoding' } : {}),
      ...(isTaken ? { 'content-encoding': 'br' } : {}),
    };
    const known = this.#tags.get(path);
    if (known !== undefined && isListed(headers.get('if-none-match'), known)) {
      return new Response(null, { status: 304, headers: { ...about, etag: known } });
    }
    const bytes = await readFile(join(this.#folder, isCompressed ? `${path}.br` : path));
    const etag = known ?? tagOf(bytes);
    this.#tags.set(path, etag);
    if (isListed(headers.get('if-none-match'), etag)) {
      return new Response(null, { status: 304, headers: { ...about, etag } });
    }
    const body = isCompressed && !isTaken ? await promisify(brotliDecompress)(bytes) : bytes;
    return new Response(new Uint8Array(body), { headers: { ...about, etag, 'content-length': `${body.length}` } });
  }

  /** Reads a text file of the front end, for the server itself. */
  async read(path: string): Promise<string> {
    const isCompressed = (await this.#list()).has(`${path}.br`);
    const bytes = await readFile(join(this.#folder, isCompressed ? `${path}.br` : path));
    return String(isCompressed ? await promisify(brotliDecompress)(bytes) : bytes);
  }

  /** The paths of all files below a folder of the front end, as if none were compressed. */
  async list(below: string): Promise<string[]> {
    const names = [...(await this.#list())].filter((name) => name.startsWith(`${below}/`));
    return [...new Set(names.map((name) => name.replace(/\.br$/, '')))].sort();
  }

  #list(): Promise<ReadonlySet<string>> {
    this.#names ??= this.#readNames().catch((error) => {
      // The next one may be luckier.
      this.#names = undefined;
      throw error;
    });
    return this.#names;
  }

  async #readNames(): Promise<ReadonlySet<string>> {
    const entries = await readdir(this.#folder, { recursive: true, withFileTypes: true });
    const files = entries.filter((entry) => entry.isFile());
    const paths = files.map(({ parentPath, name }) => relative(this.#folder, join(parentPath, name)));
    return new Set(paths.map((path) => path.replaceAll('\\', '/')));
  }
}

function tagOf(bytes: Uint8Array): string {
  // Weak, since the bytes differ by how they are compressed.
  return `W/"${sha256(bytes).slice(0, 32)}"`;
}

function isListed(header: string | null, etag: string): boolean {
  return (header ?? '').split(',').some((tag) => tag.trim() === etag || tag.trim() === '*');
}

/** Whether an `Accept-Encoding` header names Brotli, and not with a weight of 0. */
function takesBrotli(header: string): boolean {
  return header.split(',').some((part) => /^\s*br\s*(;\s*q=(?!0(\.0*)?\s*$)[\d.]+\s*)?$/.test(part));
}
