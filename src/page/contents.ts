import { createHash } from 'node:crypto';
import { type FileHandle, lstat, realpath, stat } from 'node:fs/promises';
import { basename, join, relative, resolve, sep } from 'node:path';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { messageOf } from '../base/errors.js';
import { homeFolder } from '../base/home-folder.js';
import { appendAll } from '../base/many.js';
import { counted } from '../base/texts.js';
import type { Notebook } from '../notebook/format/nbformat.js';
import { Checkpoints } from './checkpoints.js';
import { ContainedFolder, partsOf } from './contained-folder.js';
import {
  type Asked,
  bytesOf,
  type ContentsModel,
  contentOf,
  modelOf,
  requireShown,
  requireWritable,
  type Saved,
  utf8,
} from './contents-model.js';
import { sha256 } from './digest.js';
import { mediaTypeOf } from './media-types.js';
import { isFolder, NewFiles } from './new-files.js';
import { type KernelMetadata, NotebookText } from './notebook-text.js';
import { missing, type PartFile } from './part-file.js';
import { PageRefusal, refusalOf } from './refusal.js';
import { type FileVersion, SavedVersions, type Seer, versionOfFile } from './saved-versions.js';
import type { Trust } from './trust.js';
import { Turns } from './turns.js';
import { Uploads } from './uploads.js';

/** What the files of a folder need. */
interface ContentsParts {
  readonly trust: Trust;
  readonly kernel: KernelMetadata;
  readonly log: (line: string) => void;
}

/** Entries of a folder that are looked at side by side, after which other requests have their turn. */
const BATCH = 200;

/** The files of a folder, as Jupyter's contents interface reads and changes them. */
export class Contents {
  readonly trust: Trust;
  readonly checkpoints: Checkpoints;
  readonly #folder: ContainedFolder;
  readonly #kernel: KernelMetadata;
  readonly #uploads: Uploads;
  readonly #new: NewFiles;
  readonly #saved = new SavedVersions();
  readonly #turns = new Turns();
  readonly #log: (line: string) => void;

  /**
   * @param root Full path of an existing folder, without links.
   * @param kernel What a notebook for our kernel says of it.
   * @param log Called with what failed beside something that succeeded.
   */
  constructor(root: string, { trust, kernel, log }: ContentsParts) {
    this.trust = trust;
    this.#log = log;
    this.#folder = new ContainedFolder(root);
    this.#kernel = kernel;
    this.#new = new NewFiles(this.#folder, kernel);
    this.#uploads = new Uploads(this.#folder);
    this.checkpoints = new Checkpoints(this.#folder);
  }

  /** The full path of a path of the page; see {@link ContainedFolder.locate}. */
  locate(path: string): Promise<string> {
    return this.#folder.locate(path);
  }

  /** Opens a file to be sent as it is. */
  async open(path: string): Promise<FileHandle> {
    return this.#folder.openFile(await this.locate(path));
  }

  /**
   * A file or a folder.
   *
   * @throws {PageRefusal} 404 if there is none, 400 if it is not what was asked for, 413 if it is too large.
   */
  async get(path: string, asked: Asked = {}): Promise<ContentsModel> {
    const full = await this.#existing(path);
    const found = await stat(full);
    if (!found.isDirectory()) return this.#file(path, full, asked);
    if (asked.type && asked.type !== 'directory') throw new PageRefusal(400, `${path} is a folder, not a file.`);
    const model = { ...(await modelOf(path, full)), type: 'directory' as const };
    return asked.content === false ? model : { ...model, format: 'json', content: await this.#list(path, full) };
  }

  /**
   * Saves a file or makes a folder. A file that is being replaced stays until the new one is whole, and keeps its
   * permissions; a link keeps leading to it.
   *
   * @param page Which page saves; those that give themselves no name count as one.
   * @throws {PageRefusal} 409 if the file was changed since the page looked at it last.
   */
  async save(path: string, saved: Saved, page = ''): Promise<ContentsModel> {
    if (partsOf(path).length === 0) throw new PageRefusal(400, 'The folder itself cannot be saved: name a file in it.');
    const real = await this.#folder.locateReal(path);
    if (saved.type === 'directory') {
      if (!(await isFolder(real))) await this.#folder.makeFolder(real);
      return this.get(path, { content: false });
    }
    if (await isFolder(real)) throw new PageRefusal(400, `${path} is a folder: choose another name for the file.`);
    const isPiece = saved.chunk !== undefined && saved.chunk !== null;
    return this.#turns.take(real, () =>
      isPiece ? this.#upload(path, { page, full: real }, saved) : this.#save(path, { page, full: real }, saved),
    );
  }

  /** Makes an empty file, notebook or folder under a free name. */
  async create(folder: string, asked: { type?: unknown; ext?: unknown }): Promise<ContentsModel> {
    return this.get(await this.#new.create(folder, asked), { content: false });
  }

  /** Copies a file beside it or into a folder, under a free name. */
  async copy(from: string, folder: string): Promise<ContentsModel> {
    return this.get(await this.#new.copy(from, folder), { content: false });
  }

  /** Gives a file or folder another path. @throws {PageRefusal} 409 if something is there. */
  async rename(from: string, to: unknown): Promise<ContentsModel> {
    if (typeof to !== 'string') throw new PageRefusal(400, 'The new name is missing: `path` must be a text.');
    if (partsOf(from).length === 0 || partsOf(to).length === 0) {
      throw new PageRefusal(400, 'The folder itself cannot be renamed here.');
    }
    const [source, target] = [await this.locate(from), await this.locate(to)];
    if (source === target) return this.get(to, { content: false });
    await this.#folder.move(source, target);
    await this.#besides(`the checkpoint of ${from}`, this.checkpoints.follow(source, target));
    return this.get(to, { content: false });
  }

  /**
   * Deletes a file, a link or a folder that holds nothing. They are not put into a trash.
   *
   * @throws {PageRefusal} 400 for a folder that holds something.
   */
  async remove(path: string): Promise<void> {
    if (partsOf(path).length === 0) throw new PageRefusal(400, 'The folder itself cannot be deleted here.');
    const full = await this.locate(path);
    const found = await lstat(full).catch((error) => missing(error));
    if (!found) throw new PageRefusal(404, `${path} does not exist.`);
    // The checkpoints of files that are gone count as nothing.
    const names = found.isDirectory() ? await this.#folder.names(await realpath(full)) : [];
    const held = names.filter((name) => name !== Checkpoints.FOLDER);
    if (held.length > 0) {
      const hidden = held.every((name) => name.startsWith('.')) ? ', all of them hidden' : '';
      const count = counted(held.length, 'entry', 'entries');
      throw new PageRefusal(400, `The folder ${path} is not empty (${count}${hidden}): empty it first.`);
    }
    await this.#folder.remove(full, Checkpoints.FOLDER);
    await this.#besides(`the checkpoint of ${path}`, this.checkpoints.forget(full));
  }

  /** Waits for what goes along with a change that is done, which its failure must not let look as if it had failed. */
  async #besides(what: string, action: Promise<void>): Promise<void> {
    await action.catch((error) => this.#log(`Left ${what} as it was: ${messageOf(error)}`));
  }

  /**
   * The page's path of a file that a cell's output names, so that the page can open it.
   *
   * @param named Absolute, or from the cell's folder on, or from the home folder (`~/…`).
   * @param from Full path of the cell's folder.
   * @returns Undefined for what does not exist, is hidden, or lies outside: nothing is told of that.
   */
  async pathOf(named: string, from: string): Promise<string | undefined> {
    const full = resolve(from, named.replace(/^~(?=\/)/, homeFolder() ?? '~'));
    const path = relative(this.#folder.root, full).replaceAll(sep, '/');
    try {
      await stat(await this.locate(path));
      return path;
    } catch (error) {
      if (refusalOf(error)) return undefined;
      throw error;
    }
  }

  /** A notebook as it stands in its file. @throws {InputError} If it is none. */
  async notebook(path: string): Promise<Notebook> {
    return (await this.#read(path)).notebook;
  }

  /** Marks a notebook as one whose outputs may run scripts. */
  async trustNotebook(path: string): Promise<void> {
    // As the page gets it, with what is added there.
    await this.trust.note((await this.#read(path)).shown());
  }

  async #read(path: string): Promise<NotebookText> {
    return this.#notebook(path, (await this.#bytes(path, await this.#existing(path))).bytes);
  }

  /** Puts a file back as its checkpoint has it. */
  async restore(path: string, id: string): Promise<void> {
    const real = await this.#folder.locateReal(path);
    await this.#turns.take(real, () => this.checkpoints.restore(real, id));
  }

  /** Ends what is under way: uploads that did not come to their end leave nothing. */
  close(): Promise<void> {
    return this.#uploads.close();
  }

  /** Full path, without links, of what must exist. */
  async #existing(path: string): Promise<string> {
    const full = await this.#folder.locateReal(path).catch((error) => missing(error));
    if (full === undefined || !(await stat(full).catch((error) => missing(error)))) {
      throw new PageRefusal(404, `${path} does not exist.`);
    }
    return full;
  }

  async #list(path: string, full: string): Promise<ContentsModel[]> {
    await this.#folder.sweep(full);
    const names = (await this.#folder.names(full)).filter((name) => !name.startsWith('.'));
    const entry = async (name: string) => {
      try {
        return await this.#entry([...partsOf(path), name].join('/'), join(full, name));
      } catch (error) {
        // What cannot be looked at, such as a link to nothing, must not hide all others.
        if (refusalOf(error)) return undefined;
        throw error;
      }
    };
    const models: ContentsModel[] = [];
    for (let from = 0; from < names.length; from += BATCH) {
      const some = await Promise.all(names.slice(from, from + BATCH).map(entry));
      appendAll(
        models,
        some.filter((model) => model !== undefined),
      );
      await nextTurn();
    }
    return models;
  }

  /** What a folder, of which it is known where it is, tells of one of its entries. */
  async #entry(path: string, full: string): Promise<ContentsModel> {
    const found = await lstat(full);
    // Only a link may lead elsewhere.
    if (found.isSymbolicLink()) return this.get(path, { content: false });
    const model = await modelOf(path, full, found);
    if (found.isDirectory()) return { ...model, type: 'directory' };
    return path.endsWith('.ipynb')
      ? { ...model, type: 'notebook' }
      : { ...model, type: 'file', mimetype: mediaTypeOf(full) };
  }

  async #file(path: string, full: string, { type, format, content = true, hash = false, page = '' }: Asked) {
    if (type === 'directory') throw new PageRefusal(400, `${path} is a file, not a folder.`);
    const isNotebook = type === 'notebook' || (!type && path.endsWith('.ipynb'));
    const kind = isNotebook ? ('notebook' as const) : ('file' as const);
    const mimetype = isNotebook ? null : mediaTypeOf(full);
    const about = { ...(await modelOf(path, full)), type: kind };
    if (!content && !hash) return { ...about, mimetype };
    const seer = { page, full };
    if (!content) {
      const digest = this.#saved.takeDigest(seer) ?? (await this.#digest(seer));
      return { ...about, mimetype, hash: digest, hash_algorithm: 'sha256' };
    }
    const { bytes, version } = await this.#bytes(path, full);
    this.#saved.seen(seer, version);
    const digest = hash ? { hash: sha256(bytes), hash_algorithm: 'sha256' } : {};
    if (isNotebook) {
      const text = this.#notebook(path, bytes);
      const shown = text.shown();
      await this.trust.mark(shown);
      return { ...about, ...digest, format: 'json' as const, content: shown };
    }
    return { ...about, ...digest, ...contentOf(path, bytes, format, mimetype) };
  }

  async #save(path: string, seer: Seer, saved: Saved): Promise<ContentsModel> {
    const real = seer.full;
    const before = await this.#saved.require(seer, path);
    await requireWritable(real, path);
    const isNotebook = saved.type === 'notebook';
    const older = before && isNotebook ? (await this.#bytes(path, real)).bytes : undefined;
    const text = isNotebook ? this.#notebookText(path, saved.content, older) : bytesOf(saved);
    const bytes = typeof text === 'string' ? Buffer.from(text) : text;
    requireShown(path, bytes.length, 'saves');
    const digest = sha256(bytes);
    if (before && older?.equals(bytes)) this.#saved.saved(seer, before, digest);
    else {
      const part = await this.#begin(real, bytes, before?.mode);
      // Last, so that what something else wrote while this was prepared is kept.
      const version = before
        ? await part.finish(() => this.#saved.requireSame(real, path, before))
        : await part.finishNew();
      this.#saved.saved(seer, versionOfFile(version), digest);
    }
    if (isNotebook) await this.trust.noteSaved(saved.content);
    return this.get(path, { content: false, type: isNotebook ? 'notebook' : 'file' });
  }

  /** The text of a notebook; what did not change in it keeps the bytes that it had. */
  #notebookText(path: string, content: unknown, older: Buffer | undefined): string {
    if (content === undefined || content === null) return NotebookText.empty(this.#kernel);
    const now = NotebookText.check(content, path);
    let text: NotebookText;
    try {
      text = new NotebookText(utf8(older) ?? '', basename(path), this.#kernel);
    } catch (error) {
      // There was none, or something that is none: the page has been told so and replaces it.
      if (refusalOf(error)) return NotebookText.written(now);
      throw error;
    }
    return text.saved(now);
  }

  async #begin(real: string, bytes: string | Uint8Array, mode = 0o666 & ~process.umask()): Promise<PartFile> {
    const part = await this.#folder.beginFile(real, mode & 0o777);
    try {
      await part.write(bytes);
      return part;
    } catch (error) {
      await part.discard();
      throw error;
    }
  }

  async #upload(path: string, { page, full: real }: Seer, saved: Saved): Promise<ContentsModel> {
    const bytes = bytesOf(saved);
    await requireWritable(real, path);
    if (await this.#uploads.take(path, real, { page, chunk: saved.chunk, bytes }))
      return this.get(path, { content: false });
    const now = new Date().toISOString();
    return {
      ...{ name: basename(real), path: partsOf(path).join('/'), created: now, last_modified: now, writable: true },
      ...{ size: null, type: 'file', mimetype: null, content: null, format: null, hash: null, hash_algorithm: null },
    };
  }

  #notebook(path: string, bytes: Buffer): NotebookText {
    const text = utf8(bytes);
    if (text === undefined) throw new PageRefusal(400, `${path} is no notebook: it is not UTF-8 text.`);
    return new NotebookText(text, basename(path), this.#kernel);
  }

  /** The whole file, and its version. */
  async #bytes(path: string, full: string): Promise<{ bytes: Buffer; version: FileVersion }> {
    const handle = await this.#folder.openFile(full);
    try {
      const before = await handle.stat({ bigint: true });
      requireShown(path, Number(before.size), 'opens');
      return { bytes: await handle.readFile(), version: versionOfFile(before) };
    } finally {
      await handle.close();
    }
  }

  async #digest(seer: Seer): Promise<string> {
    const handle = await this.#folder.openFile(seer.full);
    try {
      const hash = createHash('sha256');
      this.#saved.seen(seer, versionOfFile(await handle.stat({ bigint: true })));
      for await (const piece of handle.createReadStream({ autoClose: false })) hash.update(piece as Buffer);
      return hash.digest('hex');
    } finally {
      await handle.close();
    }
  }
}
