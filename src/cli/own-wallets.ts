import { existsSync } from 'node:fs';
import { join } from 'node:path';

/**
 * The busiest wallets of a data folder, for notebooks that are given no wallets.
 *
 * @returns An empty list for the sample, whose wallets the example notebooks know, and for a folder without data.
 */
export async function ownWallets(folder: string): Promise<readonly string[]> {
  if (!existsSync(join(folder, 'current')) || existsSync(join(folder, 'sample', 'trades.json'))) return [];
  const { currentVersion } = await import('../service/folder/current-version.js');
  const version = await currentVersion(folder).catch(() => undefined);
  return version?.manifest.busiest ?? [];
}
