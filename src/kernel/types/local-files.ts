import { type Dirent, readdirSync, readFileSync, realpathSync, statSync } from 'node:fs';
import { isBuiltin } from 'node:module';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { appendAll } from '../../base/many.js';
import { ownModules } from '../transform/own-modules.js';

const ENDINGS = ['', '.ts', '.mts', '.tsx', '.js', '.jsx', '.mjs', '.json', '/index.ts', '/index.js'];
/** The language server's numbers of what may happen to a file. */
const CHANGES = { created: 1, changed: 2, deleted: 3 };

interface KnownFile {
  stamp: string;
  /** When it was written, or came to be in its place, in whole milliseconds since 1970. */
  changedMs: number;
  /** Whether it was so new when it was read that it may have been written again within the same tick of the clock. */
  isFresh: boolean;
  /** What it imports. */
  imports: string[];
}

interface FoundFile {
  path: string;
  file: KnownFile;
}

/** A change of a file, in the form that the language server takes. */
interface FileChange {
  uri: string;
  type: number;
}

/** How long after its last change a file may still change without another stamp. */
const SETTLED_MS = 100;

/**
 * The user's own modules that cells import: files beside the notebook, those of packages that are linked from elsewhere,
 * as in a workspace, and what `#imports` and the paths of a tsconfig.json stand for. The language server does not look
 * at the disk again by itself.
 */
export class LocalFiles {
  readonly #folder: string;
  readonly #specifiers = new Set<string>();
  readonly #known = new Map<string, KnownFile>();
  readonly #packages = new Set<string>();

  constructor(folder: string) {
    this.#folder = folder;
  }

  /** The packages that the files import and that earlier calls have not told. */
  newPackages(): string[] {
    const found = [...this.#known.values()].flatMap(({ imports }) => imports.filter((each) => PACKAGE.test(each)));
    const fresh = [...new Set(found)].filter((each) => !this.#packages.has(each) && !isBuiltin(each));
    for (const each of fresh) this.#packages.add(each);
    return fresh;
  }

  /** Records what a cell imports. */
  add(sources: Iterable<string>): void {
    for (const source of sources) this.#specifiers.add(source);
  }

  /** The files that appeared, changed or disappeared since the last call, including those that the modules import. */
  changes(): FileChange[] {
    const changes: FileChange[] = [];
    this.#walk(this.#specifiers, (path) => this.#look(path, changes));
    return changes;
  }

  /**
   * When the files last changed that some imports mean and that these import, in milliseconds since 1970, as of the last
   * look at them; 0 if there are none.
   *
   * @param specifiers Default: those of all cells.
   */
  changedMs(specifiers: Iterable<string> = this.#specifiers): number {
    let newest = 0;
    this.#walk(specifiers, (path) => {
      const found = candidatesFor(path).find((each) => this.#known.has(each));
      const file = found === undefined ? undefined : this.#known.get(found);
      newest = Math.max(newest, file?.changedMs ?? 0);
      return found !== undefined && file ? { path: found, file } : undefined;
    });
    return newest;
  }

  /** Goes through the files that some imports mean and that these import, each once. */
  #walk(specifiers: Iterable<string>, look: (path: string) => FoundFile | undefined): void {
    const seen = new Set<string>();
    const from = (folder: string, imports: Iterable<string>): string[] =>
      [...imports].flatMap((each) => ownModules(each, folder).flatMap(filesOf));
    const waiting = from(this.#folder, specifiers);
    for (let path = waiting.pop(); path !== undefined; path = waiting.pop()) {
      if (seen.has(path)) continue;
      seen.add(path);
      const found = look(path);
      if (found) appendAll(waiting, from(join(found.path, '..'), found.file.imports));
    }
  }

  #look(path: string, changes: FileChange[]): FoundFile | undefined {
    for (const candidate of candidatesFor(path)) {
      const about = statSync(candidate, { throwIfNoEntry: false });
      const before = this.#known.get(candidate);
      const uri = (): string => pathToFileURL(about ? realpathSync(candidate) : candidate).href;
      if (!about?.isFile()) {
        if (before) changes.push({ uri: uri(), type: CHANGES.deleted });
        this.#known.delete(candidate);
        continue;
      }
      const stamp = `${about.mtimeMs} ${about.size}`;
      if (before?.stamp === stamp && !before.isFresh) return { path: candidate, file: before };
      const isFresh = about.mtimeMs > Date.now() - SETTLED_MS;
      // Of a disk whose clock is ahead, nothing is known.
      const changedMs = about.ctimeMs > Date.now() ? 0 : Math.floor(about.ctimeMs);
      const file = { stamp, changedMs, isFresh, imports: importsOf(candidate) };
      this.#known.set(candidate, file);
      changes.push({ uri: uri(), type: before ? CHANGES.changed : CHANGES.created });
      return { path: candidate, file };
    }
    return undefined;
  }
}

/** The files that a path without its ending may mean. */
function candidatesFor(path: string): string[] {
  return [...ENDINGS.map((ending) => path + ending), path.replace(/\.([mc]?)js$/, '.$1ts')];
}

/** A package with more source files was not made beside a notebook. */
const MOST = 500;
const SOURCE = /\.([mc]?[jt]sx?|json)$/;

/** The path itself; of a package's folder, the source files in it and below. */
function filesOf(path: string): string[] {
  if (!path.endsWith('/')) return [path];
  const found: string[] = [];
  const folders = [path];
  for (let folder = folders.pop(); folder !== undefined && found.length < MOST; folder = folders.pop()) {
    for (const each of entriesOf(folder)) {
      if (each.isDirectory() && !/^(\.|node_modules$)/.test(each.name)) folders.push(join(folder, each.name));
      else if (each.isFile() && SOURCE.test(each.name)) found.push(join(folder, each.name));
    }
  }
  return found;
}

function entriesOf(folder: string): Dirent[] {
  try {
    return readdirSync(folder, { withFileTypes: true });
  } catch {
    return [];
  }
}

const PACKAGE = /^(?:@[\w.-]+\/)?[\w-][\w./-]*$/;
const SPECIFIER = /(?:from|import|require)\s*\(?\s*['"]([^'"\n]+)['"]/g;

function importsOf(path: string): string[] {
  try {
    return Array.from(readFileSync(path, 'utf8').matchAll(SPECIFIER), ([, specifier = '']) => specifier);
  } catch {
    return [];
  }
}
