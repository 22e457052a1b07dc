import { execFile } from 'node:child_process';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { promisify } from 'node:util';
import { build } from 'esbuild';
import { expect, it } from 'vitest';

it('simulates two million fills in bounded memory', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'oddslab-simulate-memory-'));
  try {
    const bundled = async (path: string): Promise<string> => {
      const { pathname: entry } = new URL(`../../../${path}`, import.meta.url);
      const outfile = join(folder, `${basename(path, '.ts')}.mjs`);
      await build({ entryPoints: [entry], bundle: true, platform: 'node', format: 'esm', outfile });
      return JSON.stringify(pathToFileURL(outfile).href);
    };
    const script = `
      const { simulate } = await import(${await bundled('src/service/sample/simulate-sample.ts')});
      const { ownPeakMb } = await import(${await bundled('bench/own-peak.ts')});
      const { manifest } = await simulate({ out: ${JSON.stringify(join(folder, 'out'))}, fills: 2_000_000, wallets: 5_000 });
      console.log(JSON.stringify({ fills: manifest.counts.fills, peakMb: ownPeakMb() }));
    `;
    const { stdout } = await promisify(execFile)(process.execPath, ['--input-type=module', '-e', script]);
    const { fills, peakMb } = JSON.parse(stdout);
    expect(fills).toBe(2_000_000);
    expect(peakMb).toBeLessThan(200);
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
});
