import { readFileSync } from 'node:fs';
import { isAbsolute } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { Place } from '../events.js';
import type { Position } from '../line-index.js';

/** A script of the user's: a cell, or a local module. */
export interface UserScript {
  /** How it is called in a trace: `cell 3`, `./wallets.ts`. */
  name: string;
  source: string;
  /** The place in `source` of a place in what V8 runs. */
  position(position: Position): Position | undefined;
}

/** The user's scripts by the name that V8 knows them by, so that places in what runs become places in what was written. */
export class SourceRegistry {
  readonly #byUrl = new Map<string, UserScript>();
  readonly #sources = new Map<string, string>();
  readonly #files = new Map<string, string>();
  #fileName: (path: string) => string | undefined = () => undefined;

  /**
   * Has files that Node itself loads, as it does CommonJS ones, be the user's.
   *
   * @param fileName How traces call a file; undefined where it is not the user's.
   */
  nameFiles(fileName: (path: string) => string | undefined): void {
    this.#fileName = fileName;
  }

  /** Registers a script, in place of an earlier one of the same name. */
  add(url: string, script: UserScript): void {
    this.#byUrl.set(url, script);
    this.#sources.set(script.name, script.source);
  }

  /** Whether a script of this name is the user's. */
  has(url: string): boolean {
    return this.#byUrl.has(url) || this.#file(url) !== undefined;
  }

  /** The place in the user's text; undefined if the script is not the user's or the place is in code that we added. */
  place(url: string, position: Position): Place | undefined {
    const script = this.#byUrl.get(url);
    const name = script?.name ?? this.#file(url);
    const mapped = script ? script.position(position) : position;
    return name !== undefined && mapped ? { name, ...mapped } : undefined;
  }

  /** The text of a script by the name that traces use. */
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
