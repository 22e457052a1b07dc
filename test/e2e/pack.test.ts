import { execFile } from 'node:child_process';
import { cp, mkdir, mkdtemp, readdir, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { completeLock } from '../../scripts/complete-lock.mjs';
import { isAbsent } from '../support/is-absent.js';

const ROOT = resolve(import.meta.dirname, '../..');
const QUIET = ['--prefer-offline', '--no-audit', '--no-fund', '--loglevel=error'];

const PROGRAM = `
const frame = new DataFrame({ wallet: ['0xa', '0xb', '0xa'], pnl: [1.5, -2, 16777217], note: ['x', 'y, z', ''] });
const sums = frame.groupby(['wallet']).col(['pnl']).sum();
console.log(JSON.stringify(sums.values));
console.log(column(frame, 'pnl').reduce((sum, value) => sum + value, 0));
process.stdout.write(toCsv(frame));
`;
const PRINTED =
  '[["0xa",16777218.5],["0xb",-2]]\n16777216.5\nwallet,pnl,note\n0xa,1.5,x\n0xb,-2,"y, z"\n0xa,16777217,""\n';

const TYPED = `
import { Chart, column, DataFrame, Series, toCsv, writeCsv } from 'oddslab';

interface Row {
  wallet: string;
  pnl: number;
}
const frame = new DataFrame<Row>([{ wallet: '0xa', pnl: 1.5 }]);
export const pnl: Float64Array = column(frame, 'pnl');
export const wallets: string[] = column(frame, 'wallet');
// @ts-expect-error A misspelt column is a type error.
export const misspelt = column(frame, 'pnll');
export const best: DataFrame<Row> = frame.sortValues('pnl', { ascending: false }).head(1);
export const series: Series<number> = frame.pnl;
export const anyFrame: DataFrame = frame;
export const text: string = toCsv(frame);
export const written: Promise<{ path: string; rows: number; bytes: number }> = writeCsv(frame, 'x.csv');
export const taller = ({ spec }: Chart): Chart => new Chart({ ...spec, height: 500 });
`;

const TYPESCRIPT = {
  strict: true,
  noEmit: true,
  target: 'es2023',
  lib: ['es2023'],
  types: ['node'],
  skipLibCheck: true,
};

const npmCommand = process.platform === 'win32' ? 'npm.cmd' : 'npm';
const run = async (command: string, args: string[], cwd: string): Promise<string> => {
  const { stdout } = await promisify(execFile)(command, args, { cwd, maxBuffer: 64 * 1024 * 1024 }).catch((error) => {
    throw new Error(`${command} ${args.join(' ')} failed:\n${error.stdout}${error.stderr}`, { cause: error });
  });
  return stdout;
};

/** Why the package registry cannot be used, or undefined where it can. */
async function registryProblem(): Promise<string | undefined> {
  return promisify(execFile)(npmCommand, ['view', 'zod@4', 'name', '--prefer-online'], {
    cwd: ROOT,
    timeout: 20_000,
  }).then(
    () => undefined,
    (error) => String(error.stderr || error.message).trim(),
  );
}

const problem = await registryProblem();
if (problem !== undefined)
  console.warn(`pack.test.ts is skipped, as the package registry cannot be reached: ${problem}`);

describe.skipIf(problem !== undefined)('the packed tarball', () => {
  let work = '';
  let installed = '';
  let reinstalled = '';

  beforeAll(async () => {
    work = await mkdtemp(join(tmpdir(), 'oddslab-pack-'));
    await run(npmCommand, ['pack', '--ignore-scripts', '--pack-destination', work], ROOT);
    const tarball = (await readdir(work)).find((name) => name.endsWith('.tgz')) ?? 'missing.tgz';
    installed = join(work, 'installed');
    await mkdir(installed);
    await cp(join(work, tarball), join(installed, tarball));
    await writeConsumer(installed, tarball);
    await run(npmCommand, ['install', ...QUIET], installed);
    reinstalled = join(work, 'reinstalled');
    await cp(installed, reinstalled, { recursive: true, filter: (path) => !path.includes('node_modules') });
    await completeLock(join(reinstalled, 'package-lock.json'));
    await run(npmCommand, ['ci', ...QUIET], reinstalled);
  }, 300_000);

  afterAll(() => rm(work, { recursive: true, force: true }));

  test('works where npm installed it', async () => {
    expect(await run(process.execPath, ['program.mjs'], installed)).toBe(PRINTED);
  });

  test('works where npm ci installed it from the lockfile', async () => {
    expect(await run(process.execPath, ['program.mjs'], reinstalled)).toBe(PRINTED);
  });

  test('can be required from CommonJS', async () => {
    expect(await run(process.execPath, ['program.cjs'], installed)).toBe(PRINTED);
  });

  test('brings its command', async () => {
    const help = await run(join(installed, 'node_modules/.bin/oddslab'), ['--help'], installed);
    expect(help).toContain('oddslab');
  });

  test.each(['nodenext', 'bundler'])('has types under module resolution %s', async (resolution) => {
    await checkTypes(installed, resolution, TYPESCRIPT);
  });

  test('has declarations that need neither danfo nor skipLibCheck', async () => {
    expect((await readdir(join(installed, 'node_modules'))).filter((name) => name.startsWith('danfo'))).toEqual([]);
    const exact = { ...TYPESCRIPT, skipLibCheck: false };
    await checkTypes(installed, 'nodenext', exact);
    await checkTypes(installed, 'nodenext', { ...exact, exactOptionalPropertyTypes: true });
  });

  test.skipIf(isAbsent(join(ROOT, 'src/page/front/built'), 'the packed notebook page, which "npm run page" builds'))(
    'holds the notebook page, in at most 3 MB, with the licenses of what it is bundled of',
    async () => {
      const packed = join(installed, 'node_modules/oddslab/dist/lab');
      const files = await readdir(packed, { recursive: true });
      const built = await readdir(join(ROOT, 'src/page/front/built'), { recursive: true });
      expect(files.sort()).toEqual(built.sort());
      expect(files).toEqual(expect.arrayContaining(['lab.js.br', 'lab.css.br', 'THIRD_PARTY_LICENSES']));
      const alone = join(work, 'lab.tgz');
      await run('tar', ['-czf', alone, '-C', packed, '.'], work);
      expect((await stat(alone)).size).toBeLessThan(3e6);
      const licenses = await readFile(join(packed, 'THIRD_PARTY_LICENSES'), 'utf8');
      expect(licenses).toMatch(/^@jupyterlab\/notebook \S+ \(BSD-3-Clause\)\n\nCopyright \(c\) Project Jupyter$/m);
      expect(licenses).toMatch(/^@codemirror\/view \S+ \(MIT\)$/m);
    },
  );

  test('holds the licenses of what it bundles', async () => {
    const files = await readdir(join(installed, 'node_modules/oddslab/dist'));
    expect(files).toContain('THIRD_PARTY_LICENSES');
  });
});

async function writeConsumer(folder: string, tarball: string): Promise<void> {
  const about = {
    name: 'consumer',
    private: true,
    dependencies: { oddslab: `file:${tarball}`, '@types/node': '^20.19.0' },
  };
  await writeFile(join(folder, 'package.json'), JSON.stringify(about));
  await writeFile(join(folder, 'program.mjs'), `import { column, DataFrame, toCsv } from 'oddslab';${PROGRAM}`);
  await writeFile(join(folder, 'program.cjs'), `const { column, DataFrame, toCsv } = require('oddslab');${PROGRAM}`);
  await writeFile(join(folder, 'typed.mts'), TYPED);
}

async function checkTypes(folder: string, moduleResolution: string, options: object): Promise<void> {
  const module = moduleResolution === 'nodenext' ? 'nodenext' : 'esnext';
  const config = { compilerOptions: { ...options, module, moduleResolution }, files: ['typed.mts'] };
  await writeFile(join(folder, 'tsconfig.json'), JSON.stringify(config));
  await run(process.execPath, [join(ROOT, 'node_modules/typescript/bin/tsc'), '-p', folder], folder);
}
