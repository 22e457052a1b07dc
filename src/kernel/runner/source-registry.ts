import { readFileSync } from 'node:fs';
import { isAbsolute } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { Place } from '../events.js';
import type { Position } from '../line-index.js';

/** One of the user's scripts: a cell or a local module. */
export interface UserScript {
  /** Name in traces: `cell 3`, `./wallets.ts`. */
  name: string;
  source: string;
  /** Maps a place in what V8 runs to its place in `source`. */
  position(position: Position): Position | undefined;
}

/** The user's scripts by V8's name for them, to map places in what runs to places in what was written. */
export class SourceRegistry {
  readonly #byUrl = new Map<string, UserScript>();
  readonly #sources = new Map<string, string>();
  readonly #files = new Map<string, string>();
  #fileName: (path: string) => string | undefined = () => undefined;

  /**
   * Makes files that Node itself loads, such as CommonJS ones, count as the user's.
   *
   * @param fileName Returns a file's name in traces; undefined if it is not the user's.
   */
  nameFiles(fileName: (path: string) => string | undefined): void {
    this.#fileName = fileName;
  }

  /** Registers a script, in place of an earlier one of the same URL. */
  add(url: string, script: UserScript): void {
    this.#byUrl.set(url, script);
    this.#sources.set(script.name, script.source);
  }

  /** Whether the script of this URL is the user's. */
  has(url: string): boolean {
    return this.#byUrl.has(url) || this.#file(url) !== undefined;
  }

  /** The place in the user's source; undefined if the script is not the user's or the place is in added code. */
  place(url: string, position: Position): Place | undefined {
    const script = this.#byUrl.get(url);
    const name = script?.name ?? this.#file(url);
    const mapped = script ? script.position(position) : position;
    return name !== undefined && mapped ? { name, ...mapped } : undefined;
  }

  /** The source of a script by its name in traces. */
  source(name: string): string | undefined {
    const path = this.#files.get(name);
    return this.#sources.get(name) ?? (path === undefined ? undefined : textOf(path));
  }

  #file(url: string): string | undefined {
    const path = url.startsWith('file:') ? fileURLToPath(url) : url;
    const name = isAbsolute(path) ? this.#fileName(path) : undefined;
    if (name !== undefined) this.#files.set(name, path);
    return name;
  }
}

function textOf(path: string): string | undefined {
  try {
    return readFileSync(path, 'utf8');
  } catch {
    return undefined;
  }
}
