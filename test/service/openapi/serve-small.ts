import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createKey } from '../../../src/service/accounts/api-keys.js';
import { type ServeOptions, serve } from '../../../src/service/serve-folder.js';
import { ingestSmall } from '../../support/small-market.js';

/** A service over the small market, for a whole file of tests. */
export interface SmallService {
  url: string;
  folder: string;
  /** A key that is good from the start; one that is made later is noticed within a second or so. */
  key: string;
  /** Stops the service and removes its folder. */
  close(): Promise<void>;
}

/** Ingests the small market into a folder of its own and serves it, by default without keys. */
export async function serveSmall(options: Partial<ServeOptions> = {}): Promise<SmallService> {
  const folder = await mkdtemp(join(tmpdir(), 'oddslab-small-'));
  await ingestSmall(folder);
  const { key } = await createKey(folder, 'small');
  const service = await serve({ folder, port: 0, open: true, ...options });
  const close = async () => {
    await service.close();
    await rm(folder, { recursive: true, force: true });
  };
  return { url: service.url, folder, key, close };
}
