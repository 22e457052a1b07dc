import { readFileSync, statSync } from 'node:fs';
import { dirname, resolve } from 'node:path';
import { pathToFileURL } from 'node:url';

const ENDINGS = ['', '.ts', '.mts', '.tsx', '.js', '.mjs', '.json', '/index.ts', '/index.js'];
const CREATED = 1;
const CHANGED = 2;
const DELETED = 3;

interface KnownFile {
  stamp: number;
  /** The local modules that it imports. */
  imports: string[];
}

/** A change of a file, in the form that the language server takes. */
export interface FileChange {
  uri: string;
  type: number;
}

/** The user's own modules that cells import. The language server does not look at the disk again by itself. */
export class LocalFiles {
  readonly #folder: string;
  readonly #entries = new Set<string>();
  readonly #known = new Map<string, KnownFile>();

  constructor(folder: string) {
    this.#folder = folder;
  }

  /** Records what a cell imports. */
  add(sources: Iterable<string>): void {
    for (const source of sources) if (/^\.{0,2}\//.test(source)) this.#entries.add(resolve(this.#folder, source));
  }

  /** The files that appeared, changed or disappeared since the last call, including those that local modules import. */
  changes(): FileChange[] {
    const changes: FileChange[] = [];
    const seen = new Set<string>();
    const waiting = [...this.#entries];
    for (let path = waiting.pop(); path !== undefined; path = waiting.pop()) {
      if (seen.has(path)) continue;
      seen.add(path);
      const file = this.#look(path, changes);
      if (file) waiting.push(...file.imports);
    }
    return changes;
  }

  #look(path: string, changes: FileChange[]): KnownFile | undefined {
    const candidates = [...ENDINGS.map((ending) => path + ending), path.replace(/\.([mc]?)js$/, '.$1ts')];
    for (const candidate of candidates) {
      const stamp = stampOf(candidate);
      const before = this.#known.get(candidate);
      const uri = pathToFileURL(candidate).href;
      if (stamp === undefined) {
        if (before) changes.push({ uri, type: DELETED });
        this.#known.delete(candidate);
        continue;
      }
      if (before?.stamp === stamp) return before;
      const file = { stamp, imports: importsOf(candidate) };
      this.#known.set(candidate, file);
      changes.push({ uri, type: before ? CHANGED : CREATED });
      return file;
    }
    return undefined;
  }
}

function stampOf(path: string): number | undefined {
  const about = statSync(path, { throwIfNoEntry: false });
  return about?.isFile() ? about.mtimeMs + about.size : undefined;
}

function importsOf(path: string): string[] {
  try {
    const specifiers = readFileSync(path, 'utf8').matchAll(/(?:from|import)\s*\(?\s*['"](\.{1,2}\/[^'"\n]*)['"]/g);
    return [...specifiers].map(([, specifier = '']) => resolve(dirname(path), specifier));
  } catch {
    return [];
  }
}
