import { execFile } from 'node:child_process';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { promisify } from 'node:util';
import { build } from 'esbuild';
import { expect, it } from 'vitest';

it('simulates two million fills in bounded memory', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'oddslab-simulate-memory-'));
  try {
    const module = join(folder, 'simulate.mjs');
    const entry = new URL('../../../src/service/sample/simulate-sample.ts', import.meta.url).pathname;
    await build({ entryPoints: [entry], bundle: true, platform: 'node', format: 'esm', outfile: module });
    const script = `
      const { simulate } = await import(${JSON.stringify(pathToFileURL(module).href)});
      const { manifest } = await simulate({ out: ${JSON.stringify(join(folder, 'out'))}, fills: 2_000_000, wallets: 5_000 });
      console.log(JSON.stringify({ fills: manifest.counts.fills, rssMb: process.resourceUsage().maxRSS / 1024 }));
    `;
    const { stdout } = await promisify(execFile)(process.execPath, ['--input-type=module', '-e', script]);
    const { fills, rssMb } = JSON.parse(stdout);
    expect(fills).toBe(2_000_000);
    expect(rssMb).toBeLessThan(350);
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
});
