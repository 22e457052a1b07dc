// Runs a TypeScript file of this repository: `node scripts/run-ts.mjs bench/main.ts service --json`.
import { spawnSync } from 'node:child_process';
import { mkdirSync, rmSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { build } from 'esbuild';

const root = dirname(dirname(fileURLToPath(import.meta.url)));
const [entry = '', ...words] = process.argv.slice(2);
// Within the package, so that its dependencies and its `#danfo` are found from there.
const folder = join(root, 'node_modules', '.cache', 'oddslab', String(process.pid));
mkdirSync(folder, { recursive: true });
try {
  const outfile = join(folder, 'entry.mjs');
  await build({ entryPoints: [entry], outfile, bundle: true, platform: 'node', format: 'esm', packages: 'external' });
  const { status } = spawnSync(process.execPath, ['--expose-gc', outfile, ...words], { stdio: 'inherit' });
  process.exitCode = status ?? 1;
} finally {
  rmSync(folder, { recursive: true, force: true });
}
