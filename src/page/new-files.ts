import { type FileHandle, stat } from 'node:fs/promises';
import { type ContainedFolder, partsOf } from './contained-folder.js';
import { type KernelMetadata, NotebookText } from './notebook-text.js';
import { missing, type PartFile } from './part-file.js';
import { PageRefusal } from './refusal.js';

/** Makes files and folders under names that are free, and never takes the place of what appears there meanwhile. */
export class NewFiles {
  readonly #folder: ContainedFolder;
  readonly #kernel: KernelMetadata;

  constructor(folder: ContainedFolder, kernel: KernelMetadata) {
    this.#folder = folder;
    this.#kernel = kernel;
  }

  /** Makes an empty file, notebook or folder, and gives its path. */
  create(folder: string, { type, ext }: { type?: unknown; ext?: unknown }): Promise<string> {
    if (type === 'directory') {
      const make = (real: string) => this.#folder.makeFolder(real);
      return this.#firstFree({ folder, stem: 'Untitled Folder', between: ' ', end: '' }, make);
    }
    const isNotebook = type === 'notebook' || ext === '.ipynb';
    const end = isNotebook ? '.ipynb' : endOf(ext);
    const text = isNotebook ? NotebookText.empty(this.#kernel) : '';
    return this.#firstFree({ folder, stem: isNotebook ? 'Untitled' : 'untitled', between: '', end }, async (real) => {
      const part = await this.#folder.beginFile(real, 0o666 & ~process.umask());
      await part.write(text).catch((error) => discarded(part, error));
      await part.finishNew();
    });
  }

  /** Copies a file beside it or into a folder, and gives the copy's path. */
  async copy(from: string, folder: string): Promise<string> {
    const handle = await this.#folder.openFile(await this.#folder.locate(from));
    try {
      const { mode } = await handle.stat();
      const name = partsOf(from).at(-1) ?? '';
      const end = /(?:\.ipynb|\.tar\.\w+|\.\w+)?$/.exec(name)?.[0] ?? '';
      const stem = name.slice(0, name.length - end.length).replace(/-Copy\d*$/, '');
      const isElsewhere = partsOf(from).slice(0, -1).join('/') !== partsOf(folder).join('/');
      return await this.#firstFree(
        { folder, stem, between: '-Copy', end, first: isElsewhere ? 0 : 1 },
        async (real) => {
          const part = await this.#folder.beginFile(real, mode & 0o777);
          await pour(handle, part).catch((error) => discarded(part, error));
          await part.finishNew();
        },
      );
    } finally {
      await handle.close();
    }
  }

  /** Tries names until one is free, which another program may take at any time. */
  async #firstFree({ folder, stem, between, end, first = 0 }: Naming, make: (real: string) => Promise<void>) {
    if (!(await isFolder(await this.#folder.locate(folder))))
      throw new PageRefusal(404, `There is no folder ${folder}.`);
    for (let number = first; ; number++) {
      const path = [...partsOf(folder), `${stem}${number === 0 ? '' : `${between}${number}`}${end}`].join('/');
      if (await this.#folder.isTaken(path)) continue;
      try {
        await make(await this.#folder.locateReal(path));
        return path;
      } catch (error) {
        if (!(error instanceof PageRefusal) || error.status !== 409) throw error;
      }
    }
  }
}

/** How names are made: with a number from `first` on, which 0 leaves out. */
interface Naming {
  readonly folder: string;
  readonly stem: string;
  readonly between: string;
  readonly end: string;
  readonly first?: number;
}

/** Whether a folder is there, or a link to one. */
export function isFolder(full: string): Promise<boolean> {
  return stat(full).then(
    (found) => found.isDirectory(),
    (error) => missing(error) ?? false,
  );
}

async function pour(from: FileHandle, to: PartFile): Promise<void> {
  for await (const piece of from.createReadStream({ autoClose: false, start: 0 })) await to.write(piece as Buffer);
}

async function discarded(part: PartFile, error: unknown): Promise<never> {
  await part.discard();
  throw error;
}

/** An extension for a new file. */
function endOf(ext: unknown): string {
  if (ext === undefined || ext === null || ext === '') return '.txt';
  if (typeof ext === 'string' && /^\.?[\w.-]+$/.test(ext)) return ext.startsWith('.') ? ext : `.${ext}`;
  throw new PageRefusal(400, 'The `ext` of a new file must be an extension such as ".ts".');
}
