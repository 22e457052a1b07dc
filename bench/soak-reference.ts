import { createHash } from 'node:crypto';
import { mkdir, mkdtemp, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type Service, serve } from '../src/service/serve-folder.js';
import { postOnce } from './service-load.js';

/** The most versions kept open. */
const MOST = 4;

interface Frozen {
  readonly folder: string;
  readonly service: Service;
  readonly digests: Map<string, Promise<string>>;
}

/** The expected answers for each version of a data folder, from a single-process service over that version alone. */
export class Reference {
  readonly #data: string;
  readonly #frozen = new Map<string, Promise<Frozen>>();

  constructor(data: string) {
    this.#data = data;
  }

  /** The digest of a version's answer. @param version The service's name for it: number and mark. */
  async digestOf(version: string, body: string): Promise<string> {
    const { service, digests } = await this.#of(version);
    let digest = digests.get(body);
    if (!digest) {
      digest = postOnce({ url: `${service.url}/query` }, body).then(answerDigest);
      digests.set(body, digest);
    }
    return digest;
  }

  /** The address of the service over a version alone; it needs no key. */
  async urlOf(version: string): Promise<string> {
    return (await this.#of(version)).service.url;
  }

  async close(): Promise<void> {
    await Promise.all([...this.#frozen.values()].map(closeFrozen));
  }

  #of(version: string): Promise<Frozen> {
    const found = this.#frozen.get(version) ?? freeze(this.#data, version);
    this.#frozen.delete(version);
    this.#frozen.set(version, found);
    const [oldest] = this.#frozen;
    if (this.#frozen.size > MOST && oldest) {
      this.#frozen.delete(oldest[0]);
      // Its latest queries may still be under way.
      setTimeout(() => void closeFrozen(oldest[1]), 5000);
    }
    return found;
  }
}

/** A digest of an answer without its timestamp. */
export function answerDigest(text: string): string {
  return createHash('sha1')
    .update(text.replace(/^\{"timestamp":"[^"]*",/, '{'))
    .digest('base64');
}

async function freeze(data: string, version: string): Promise<Frozen> {
  const [name = ''] = version.split('-');
  const folder = await mkdtemp(join(tmpdir(), 'oddslab-frozen-'));
  await mkdir(join(folder, 'versions'));
  await symlink(join(data, 'versions', name), join(folder, 'versions', name));
  await writeFile(join(folder, 'current'), name);
  return { folder, service: await serve({ folder, port: 0, open: true }), digests: new Map() };
}

async function closeFrozen(frozen: Promise<Frozen>): Promise<void> {
  const { folder, service } = await frozen;
  await service.close();
  await rm(folder, { recursive: true, force: true });
}
