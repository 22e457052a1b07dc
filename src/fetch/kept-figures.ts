import { existsSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { DataError } from '../base/errors.js';
import { isObject, jsonIn, partText } from '../base/texts.js';
import { systemErrorCode, writeWhole } from '../base/whole-file.js';
import type { FetchManifest } from './fetch-folder.js';
import type { Figures } from './figures.js';

const FIGURES = 'figures.json';

/** The folder of a wallet's fetch. */
function folderOf(out: string, wallet: string): string {
  return join(out, `wallet-${wallet}`);
}

/** The source's figures as they were kept beside a wallet's fetch; undefined if there are none. */
export async function readFigures(out: string, wallet: string): Promise<Figures | undefined> {
  const path = join(folderOf(out, wallet), FIGURES);
  const found = await jsonOf(path);
  if (found === undefined) return undefined;
  if (isObject(found) && found.oddslab_figures === 1 && found.wallet === wallet) return found as unknown as Figures;
  throw new DataError(`${path} holds no figures of ${wallet}: remove it, and ask the source again.`);
}

/** Keeps the source's figures beside the wallet's fetch, if it was fetched. */
export async function keepFigures(out: string, figures: Figures): Promise<void> {
  const folder = folderOf(out, figures.wallet);
  if (!existsSync(join(folder, 'fetch.json'))) return;
  await writeWhole(join(folder, FIGURES), `${JSON.stringify(figures, undefined, 1)}\n`);
}

/** Why the fetched record of a wallet is incomplete, in a sentence each; empty if it is complete or was not fetched. */
export async function missingOf(out: string, wallet: string): Promise<string[]> {
  const manifest = (await jsonOf(join(folderOf(out, wallet), 'fetch.json'))) as FetchManifest | undefined;
  if (!manifest || manifest.complete) return [];
  if (!manifest.ended) return ['its fetch did not end'];
  return manifest.missing.map((part) => `its fetch lacks ${partText(part)}`);
}

async function jsonOf(path: string): Promise<unknown> {
  try {
    return jsonIn(await readFile(path, 'utf8'));
  } catch (error) {
    if (systemErrorCode(error) === 'ENOENT') return undefined;
    throw error;
  }
}
