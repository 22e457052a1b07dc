import { existsSync } from 'node:fs';
import { appendFile, cp, mkdir, readdir, readFile, rm, symlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterEach, describe, expect, test, vi } from 'vitest';
import { frontEnd } from '../../src/page/front-end.js';
import { put, temporaryFolder } from '../support/temporary-folder.js';

const ROOT = fileURLToPath(new URL('../..', import.meta.url));
const INSTALLING = 'preparing the notebook page: installing its packages (first time only, about a minute)';
const BUNDLING = 'preparing the notebook page: bundling it';

/** A clone with a front end as small as can be, which npm installs and a script of its own builds. */
async function smallClone(dependencies: Record<string, string> = {}): Promise<string> {
  const root = await temporaryFolder();
  const front = join(root, 'src/page/front');
  await mkdir(join(front, 'src'), { recursive: true });
  await mkdir(join(root, 'src/kernel/install'), { recursive: true });
  await mkdir(join(front, 'none'));
  await symlink(join(ROOT, 'node_modules'), join(root, 'node_modules'));
  await put(root, 'package.json', { name: 'oddslab' });
  const about = { name: 'page', version: '1.0.0', dependencies: { none: 'file:./none', ...dependencies } };
  await put(front, 'package.json', about);
  await put(front, 'none/package.json', { name: 'none', version: '1.0.0' });
  await put(front, 'package-lock.json', {
    name: 'page',
    version: '1.0.0',
    lockfileVersion: 3,
    requires: true,
    packages: {
      '': about,
      none: { version: '1.0.0' },
      'node_modules/none': { resolved: 'none', link: true },
      ...Object.fromEntries(
        Object.entries(dependencies).map(([name, version]) => [`node_modules/${name}`, { version }]),
      ),
    },
  });
  await put(front, 'src/lab.ts', 'one');
  await put(front, 'build.mjs', BUILD);
  return root;
}

/** Copies the entry, as its build would, in two steps. */
const BUILD = `
import { appendFileSync, copyFileSync, existsSync, mkdirSync } from 'node:fs';
if (!existsSync('node_modules/none/package.json')) throw new Error('the packages are not installed');
appendFileSync('builds.log', 'built\\n');
mkdirSync(process.argv[2]);
copyFileSync('src/lab.ts', process.argv[2] + '/lab.js');
if (existsSync('src/slow')) await new Promise((done) => setTimeout(done, 60_000));
if (existsSync('src/broken')) { console.error('lab.ts:1:7: ERROR: Expected ";"'); process.exit(1); }
`;

/** Builds, and gives what was told meanwhile. */
async function told(root: string): Promise<string[]> {
  const lines: string[] = [];
  expect(await frontEnd({ root, onProgress: (line) => lines.push(line) })).toBe(join(root, 'src/page/front/built'));
  return lines;
}

const textIn = (root: string, name: string) => readFile(join(root, 'src/page/front', name), 'utf8');
const countOf = async (root: string) => (await textIn(root, 'builds.log')).split('\n').length - 1;
/** What is in the front end's folder besides its sources. */
const madeIn = async (root: string) => {
  const sources = ['build.mjs', 'builds.log', 'none', 'package-lock.json', 'package.json', 'src'];
  return (await readdir(join(root, 'src/page/front'))).filter((name) => !sources.includes(name)).sort();
};

afterEach(() => vi.unstubAllEnvs());

describe('the notebook page of a clone', () => {
  test('is built at its first use, and not again', async () => {
    const root = await smallClone();
    expect(await told(root)).toEqual([INSTALLING, BUNDLING]);
    expect(await textIn(root, 'built/lab.js')).toBe('one');
    expect(await told(root)).toEqual([]);
    expect(await madeIn(root)).toEqual(['built', 'node_modules']);
  });

  test('is built again, without installing, once a source differs', async () => {
    const root = await smallClone();
    await told(root);
    await put(join(root, 'src/page/front/src'), 'lab.ts', 'two');
    expect(await told(root)).toEqual([BUNDLING]);
    expect(await textIn(root, 'built/lab.js')).toBe('two');
    await put(join(root, 'src/kernel/install'), 'logo-svg.svg', '<svg/>');
    expect(await told(root)).toEqual([BUNDLING]);
    await appendFile(join(root, 'src/page/front/package-lock.json'), '\n');
    expect(await told(root)).toEqual([INSTALLING, BUNDLING]);
    expect(await madeIn(root)).toEqual(['built', 'node_modules']);
  });

  test('is built once by two at once', async () => {
    const root = await smallClone();
    const [one, two] = await Promise.all([told(root), told(root)]);
    expect([one, two]).toContainEqual([INSTALLING, BUNDLING]);
    expect([one, two]).toContainEqual([
      `preparing the notebook page: waiting for process ${process.pid}, which builds it already`,
    ]);
    expect(await countOf(root)).toBe(1);
  });

  test('is installed again after an installation that was ended midway', async () => {
    const root = await smallClone();
    await told(root);
    await rm(join(root, 'src/page/front/node_modules/.installed'));
    await rm(join(root, 'src/page/front/node_modules/none'));
    await put(join(root, 'src/page/front/src'), 'lab.ts', 'two');
    expect(await told(root)).toEqual([INSTALLING, BUNDLING]);
  });

  test('stays as it is where the build fails, whose reason is told', async () => {
    const root = await smallClone();
    await told(root);
    await put(join(root, 'src/page/front/src'), 'broken', '');
    await expect(frontEnd({ root })).rejects.toThrow(
      'The notebook page could not be built: bundling it failed: lab.ts:1:7: ERROR: Expected ";".',
    );
    expect(await madeIn(root)).toEqual(['built', 'node_modules']);
    expect(await textIn(root, 'built/lab.js')).toBe('one');
    await rm(join(root, 'src/page/front/src/broken'));
    expect(await told(root)).toEqual([]);
  });

  test('leaves nothing behind when it is ended early', async () => {
    const root = await smallClone();
    await put(join(root, 'src/page/front/src'), 'slow', '');
    const stop = new AbortController();
    const building = frontEnd({ root, signal: stop.signal });
    await Promise.all([
      expect(building).rejects.toThrow('enough'),
      expect
        .poll(() => existsSync(join(root, 'src/page/front/builds.log')))
        .toBe(true)
        .then(() => stop.abort(new Error('enough'))),
    ]);
    expect(await madeIn(root)).toEqual(['node_modules']);
  });

  test('removes what a killed build left', async () => {
    const root = await smallClone();
    await mkdir(join(root, 'src/page/front/built-1'));
    await told(root);
    expect(await madeIn(root)).toEqual(['built', 'node_modules']);
  });
});

describe('a notebook page that cannot be built says why, and what helps', () => {
  test('offline', async () => {
    const root = await smallClone({ 'is-odd': '3.0.1' });
    vi.stubEnv('npm_config_registry', 'http://127.0.0.1:9/');
    vi.stubEnv('npm_config_cache', join(root, 'cache'));
    vi.stubEnv('npm_config_fetch_retries', '0');
    await expect(frontEnd({ root })).rejects.toThrow(
      'The notebook page could not be built: its packages could not be installed: the package registry cannot be ' +
        `reached (ECONNREFUSED). Mend that and run the command again, or find out more with "npm ci" in ${join(root, 'src/page/front')}.`,
    );
    expect(await madeIn(root)).toEqual([]);
  });

  test('with a lock file that does not fit', async () => {
    const root = await smallClone();
    await put(join(root, 'src/page/front'), 'package.json', { dependencies: { zod: '^4.0.0' } });
    await expect(frontEnd({ root })).rejects.toThrow(
      /could not be installed: .*`npm ci` can only install packages when/,
    );
    expect(await madeIn(root)).toEqual([]);
  });

  test('without npm', async () => {
    const root = await smallClone();
    vi.stubEnv('npm_execpath', '');
    vi.stubEnv('PATH', root);
    await expect(frontEnd({ root })).rejects.toThrow('could not be installed: spawn npm ENOENT');
  });

  test("without the clone's own packages", async () => {
    const root = await smallClone();
    await rm(join(root, 'node_modules'));
    await expect(frontEnd({ root })).rejects.toThrow(
      `The notebook page cannot be built without esbuild: run "npm ci" in ${root} first.`,
    );
    expect(await madeIn(root)).toEqual([]);
  });
});

describe('the published package', () => {
  test('has the page', async () => {
    const root = await temporaryFolder();
    await cp(join(ROOT, 'package.json'), join(root, 'package.json'));
    await mkdir(join(root, 'dist/lab'), { recursive: true });
    await writeFile(join(root, 'dist/lab/THIRD_PARTY_LICENSES'), '');
    expect(await frontEnd({ root })).toBe(join(root, 'dist/lab'));
  });

  test('says so if it has not', async () => {
    const root = await temporaryFolder();
    await expect(frontEnd({ root })).rejects.toThrow(
      `The notebook page is missing from ${join(root, 'dist/lab')}: install oddslab again.`,
    );
  });
});

const LICENSES = join(ROOT, 'src/page/front/built/THIRD_PARTY_LICENSES');

test.skipIf(!existsSync(LICENSES))(
  'the built page states the licence of each package, and what their notices say',
  async () => {
    const text = await readFile(LICENSES, 'utf8');
    expect(text.match(/^\S+ \d\S* \(undefined\)$/gm)).toBeNull();
    expect(text).toMatch(/^compute-gcd \S+ \(MIT\)$/m);
    const notices = await readFile(
      join(ROOT, 'src/page/front/node_modules/vscode-jsonrpc/thirdpartynotices.txt'),
      'utf8',
    );
    expect(text).toContain(notices.trim());
  },
);
