import { readdir, readFile, rm, stat } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { makeFolder, writeWhole } from '../base/whole-file.js';
import { missing } from './part-file.js';

/** A text that is kept, and when it was first and last written. */
export interface KeptText {
  readonly text: string;
  readonly created: string;
  readonly lastModified: string;
}

/** The kinds of what is kept. */
type Kind = 'settings' | 'workspaces' | 'config';

/** What JupyterLab keeps on its server, in this user's folder: one file each, written whole, never shared. */
export class LabState {
  readonly #folder: string;

  /** @param folder Full path of a folder that no other user can read. */
  constructor(folder: string) {
    this.#folder = folder;
  }

  /** What is kept under a name; undefined if nothing is. */
  async read(kind: Kind, name: string): Promise<KeptText | undefined> {
    const path = this.#path(kind, name);
    const text = await readFile(path, 'utf8').catch((error) => missing(error));
    if (text === undefined) return undefined;
    const { birthtime, mtime } = await stat(path);
    return { text, created: birthtime.toISOString(), lastModified: mtime.toISOString() };
  }

  /** Keeps a text in place of an older one. */
  async write(kind: Kind, name: string, text: string): Promise<void> {
    const path = this.#path(kind, name);
    await makeFolder(dirname(path));
    await writeWhole(path, text, { mode: 0o600, durable: true });
  }

  /** Forgets what is kept under a name, if anything. */
  async remove(kind: Kind, name: string): Promise<void> {
    await rm(this.#path(kind, name), { force: true });
  }

  /** The names under which something is kept. */
  async names(kind: Kind): Promise<string[]> {
    const files = await readdir(join(this.#folder, kind)).catch((error) => missing(error) ?? []);
    return files
      .filter((file) => file.endsWith(END))
      .map((file) => nameOf(file.slice(0, -END.length)))
      .sort();
  }

  #path(kind: Kind, name: string): string {
    return join(this.#folder, kind, `${fileName(name)}${END}`);
  }
}

const END = '.json';

/** A name as that of a file, on any system; `nameOf` reverses it. */
function fileName(name: string): string {
  return encodeURIComponent(name).replace(/[.*'()!~]/g, (sign) => `%${sign.charCodeAt(0).toString(16).toUpperCase()}`);
}

function nameOf(file: string): string {
  try {
    return decodeURIComponent(file);
  } catch {
    return file;
  }
}
