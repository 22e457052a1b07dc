import type { BigIntStats } from 'node:fs';
import { stat } from 'node:fs/promises';
import { missing } from './part-file.js';
import { PageRefusal } from './refusal.js';

/** What tells one version of a file from the next, even where both are of one millisecond. */
export interface FileVersion {
  readonly identity: string;
  readonly mode: number;
}

/** The version that a file's status shows. */
export function versionOfFile({ dev, ino, size, mtimeNs, ctimeNs, mode }: BigIntStats): FileVersion {
  return { identity: [dev, ino, size, mtimeNs, ctimeNs].join(), mode: Number(mode) };
}

/** Files that are remembered; what falls out is only compared by the page itself. */
const MOST_KNOWN = 10_000;

/** How long the digest of what was saved waits for the page to ask for it, in milliseconds: it does so at once. */
const DIGEST_MS = 10_000;

/** A page that sees files, by the name that it gives itself, and the full path of one. */
export interface Seer {
  readonly page: string;
  readonly full: string;
}

/** What of a file a page has seen last. */
interface Seen {
  readonly identity: string;
  /** The digest of what it has saved, until it asks for it, and when that was. */
  readonly saved?: { readonly digest: string; readonly at: number };
}

/**
 * Which version of each file each page has seen last, so that a save never takes the place of another program's or another page's.
 *
 * The page itself compares a digest before it saves, and asks what to do where it differs. Between its question and the
 * save another program may still write, and between the save and its question for the new digest, too. Both are
 * noticed here.
 */
export class SavedVersions {
  /** The oldest first. */
  readonly #seen = new Map<string, Seen>();

  /** Notes that a page knows this version. */
  seen(seer: Seer, { identity }: FileVersion): void {
    this.#note(seer, { identity });
  }

  /** Notes that a page has saved this version, and its digest. */
  saved(seer: Seer, { identity }: FileVersion, digest: string): void {
    this.#note(seer, { identity, saved: { digest, at: performance.now() } });
  }

  #note(seer: Seer, seen: Seen): void {
    const key = keyOf(seer);
    this.#seen.delete(key);
    this.#seen.set(key, seen);
    const [oldest] = this.#seen.keys();
    if (this.#seen.size > MOST_KNOWN && oldest !== undefined) this.#seen.delete(oldest);
  }

  /**
   * The present version of a file that is about to be saved; undefined if there is none yet.
   *
   * @throws {PageRefusal} 409 if the page has seen an older one.
   */
  async require(seer: Seer, path: string): Promise<FileVersion | undefined> {
    const version = await currentVersion(seer.full);
    const seen = this.#seen.get(keyOf(seer));
    if (version && seen !== undefined && seen.identity !== version.identity) throw changed(path);
    return version;
  }

  /** @throws {PageRefusal} 409 if a file is no longer of that version. */
  async requireSame(full: string, path: string, { identity }: FileVersion): Promise<void> {
    const version = await currentVersion(full);
    if (version && version.identity !== identity) throw changed(path);
  }

  /**
   * The digest of what a page has just saved, once: it asks for it by a request of its own, and what another program
   * wrote meanwhile must not count as its own. Undefined after anything else that it did with the file.
   */
  takeDigest(seer: Seer): string | undefined {
    const seen = this.#seen.get(keyOf(seer));
    if (seen?.saved === undefined) return undefined;
    this.#seen.set(keyOf(seer), { identity: seen.identity });
    return performance.now() - seen.saved.at < DIGEST_MS ? seen.saved.digest : undefined;
  }
}

function keyOf({ page, full }: Seer): string {
  return `${page}\0${full}`;
}

async function currentVersion(full: string): Promise<FileVersion | undefined> {
  const found = await stat(full, { bigint: true }).catch((error) => missing(error));
  return found && versionOfFile(found);
}

function changed(path: string): PageRefusal {
  return new PageRefusal(
    409,
    `${path} was changed elsewhere since it was opened here: save again to choose between both.`,
  );
}
