// Builds dist/: the bundle of src, danfo with its shim as one file of its own, declarations and third-party licenses.
// `node scripts/build.mjs danfo` rebuilds only dist/vendor/danfo.js, which the sources import as #danfo.
import { execFile } from 'node:child_process';
import { access, chmod, copyFile, cp, mkdir, readdir, readFile, rename, rm, writeFile } from 'node:fs/promises';
import { dirname, join, relative, sep } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { build } from 'esbuild';

const root = dirname(dirname(fileURLToPath(import.meta.url)));
const dist = join(root, 'dist');
/** The notebook page's front end, below the root. */
const front = join('src', 'page', 'front');
const entries = ['src/index.ts', 'src/cli/main.ts'];
// Separate programs, one CommonJS file each: without Node's ES module loader they start faster and use less memory.
const programs = ['src/kernel/main.ts', 'src/kernel/runner/main.ts', 'src/kernel/runner/watch-lifeline.ts'];

/** @type {import('esbuild').BuildOptions} */
const shared = {
  absWorkingDir: root,
  bundle: true,
  format: 'esm',
  platform: 'node',
  target: 'node20.19',
  metafile: true,
  logLevel: 'warning',
};

/**
 * Replaces what DataFrame and Series do not need: mathjs by five functions, plotting by an error that says what to use
 * instead.
 *
 * @type {import('esbuild').Plugin}
 */
const slimDanfo = {
  name: 'slim-danfo',
  setup({ onResolve, onLoad }) {
    onResolve({ filter: /^mathjs$/ }, () => ({ path: join(root, 'vendor/tfjs-shim/statistics.js') }));
    onLoad({ filter: /danfojs-base[\\/]plotting[\\/]index\.js$/ }, () => ({
      contents: `exports.PlotlyLib = function () {
        throw new Error('plot() draws in a browser page alone. Use the chart functions of oddslab instead.');
      };`,
    }));
  },
};

/**
 * Bundles danfo's DataFrame and Series.
 *
 * @param {string} out Folder to write vendor/danfo.js into.
 * @returns {Promise<string[]>} The files that went into the bundle.
 */
async function bundleDanfo(out) {
  const result = await build({
    ...shared,
    metafile: true,
    stdin: {
      contents: `export { DataFrame, Series } from 'danfojs-node/dist/danfojs-base/index.js';`,
      resolveDir: root,
      sourcefile: 'danfo-entry.js',
    },
    outfile: join(out, 'vendor/danfo.js'),
    minifySyntax: true,
    minifyWhitespace: true,
    lineLimit: 120,
    legalComments: 'none',
    banner: {
      js: '// danfojs-node and what it needs, bundled. Their licenses: THIRD_PARTY_LICENSES beside this folder.',
    },
    plugins: [slimDanfo],
  });
  return Object.keys(result.metafile.inputs);
}

/**
 * Bundles the package's entry points; npm packages stay imports.
 *
 * @param {string} out Folder to write into.
 * @returns {Promise<string[]>} The files that went into the bundle.
 */
async function bundleEntries(out) {
  for (const entry of [...entries, ...programs]) {
    await access(join(root, entry)).catch((cause) => {
      throw new Error(`The entry point ${entry} is missing: the package cannot be built without it.`, { cause });
    });
  }
  // Each on its own: shared code would otherwise be split into dozens of small chunks, which Node loads more slowly.
  const bundles = entries.map((entry) =>
    build({
      ...shared,
      metafile: true,
      entryPoints: [entry],
      outbase: 'src',
      outdir: out,
      splitting: true,
      chunkNames: 'chunks/[name]-[hash]',
      packages: 'external',
      external: ['#danfo'],
    }),
  );
  const apart = build({
    ...shared,
    metafile: true,
    format: 'cjs',
    entryPoints: programs,
    outbase: 'src',
    outdir: out,
    outExtension: { '.js': '.cjs' },
    packages: 'external',
    define: { 'import.meta.url': 'ownUrl' },
    banner: { js: "const ownUrl = require('node:url').pathToFileURL(__filename).href;" },
  });
  const results = await whole([...bundles, apart]);
  return results.flatMap(({ metafile }) => Object.keys(metafile.inputs));
}

/**
 * Writes the declarations.
 *
 * @param {string} out Folder to write into.
 */
async function declare(out) {
  const tsc = join(root, 'node_modules/typescript/bin/tsc');
  const args = [tsc, '-p', join(root, 'tsconfig.build.json'), '--outDir', out];
  await promisify(execFile)(process.execPath, args, { cwd: root }).catch((cause) => {
    throw new Error(`tsc could not write the declarations:\n${cause.stdout}${cause.stderr}`, { cause });
  });
}

/**
 * The folder of the npm package that a bundled file comes from; undefined for our own files.
 *
 * @param {string} input Path relative to the root.
 */
function packageOf(input) {
  const parts = input.split(/[\\/]/);
  const at = parts.lastIndexOf('node_modules');
  if (at < 0) return undefined;
  return parts.slice(0, at + (parts[at + 1]?.startsWith('@') ? 3 : 2)).join(sep);
}

/**
 * Collects the license text of each bundled package. A package without a license file is named with the license that
 * its package.json states; danfo's copyright line then comes from its sources.
 *
 * @param {string[]} inputs Bundled files, relative to the root.
 * @returns {Promise<string>}
 */
async function licensesOf(inputs) {
  const folders = [...new Set(inputs.map(packageOf))].filter((folder) => folder !== undefined).sort();
  const sections = await Promise.all(
    folders.map(async (folder) => {
      const about = JSON.parse(await readFile(join(root, folder, 'package.json'), 'utf8'));
      const file = (await readdir(join(root, folder))).find((name) => /^licen[cs]e/i.test(name));
      const text = file ? await readFile(join(root, folder, file), 'utf8') : mitWithoutFile(about);
      return `${about.name} ${about.version} (${about.license})\n\n${text.trim()}\n`;
    }),
  );
  return `The following packages are bundled into this one.\n\n${sections.join(`\n${'-'.repeat(78)}\n\n`)}`;
}

/**
 * The notice of a package that states MIT but ships no license file.
 *
 * @param {{ name: string, license: string, author?: string | { name: string } }} about
 */
function mitWithoutFile(about) {
  if (about.license !== 'MIT')
    throw new Error(`${about.name} has no license file: find out its terms before bundling.`);
  const author = typeof about.author === 'object' ? about.author.name : about.author;
  const holder = about.name === 'danfojs-node' ? '2022 JsData' : (author ?? `the authors of ${about.name}`);
  return mitText.replace('HOLDER', holder);
}

const mitText = `Copyright (c) HOLDER

Permission is hereby granted, free of charge, to any person obtaining a copy of this software and associated
documentation files (the "Software"), to deal in the Software without restriction, including without limitation the
rights to use, copy, modify, merge, publish, distribute, sublicense, and/or sell copies of the Software, and to permit
persons to whom the Software is furnished to do so, subject to the following conditions:

The above copyright notice and this permission notice shall be included in all copies or substantial portions of the
Software.

THE SOFTWARE IS PROVIDED "AS IS", WITHOUT WARRANTY OF ANY KIND, EXPRESS OR IMPLIED, INCLUDING BUT NOT LIMITED TO THE
WARRANTIES OF MERCHANTABILITY, FITNESS FOR A PARTICULAR PURPOSE AND NONINFRINGEMENT. IN NO EVENT SHALL THE AUTHORS OR
COPYRIGHT HOLDERS BE LIABLE FOR ANY CLAIM, DAMAGES OR OTHER LIABILITY, WHETHER IN AN ACTION OF CONTRACT, TORT OR
OTHERWISE, ARISING FROM, OUT OF OR IN CONNECTION WITH THE SOFTWARE OR THE USE OR OTHER DEALINGS IN THE SOFTWARE.`;

/**
 * Makes dist/cli/main.js a command.
 *
 * @param {string} file
 */
async function makeExecutable(file) {
  const text = await readFile(file, 'utf8');
  if (!text.startsWith('#!')) await writeFile(file, `#!/usr/bin/env node\n${text}`);
  await chmod(file, 0o755);
}

/**
 * Replaces a folder by a finished one; retries if another build replaced it at the same moment.
 *
 * @param {string} made
 * @param {string} place
 * @param {number} [tries]
 * @returns {Promise<void>}
 */
async function swap(made, place, tries = 3) {
  const old = `${made}-old`;
  await rename(place, old).catch((error) => {
    if (error.code !== 'ENOENT') throw error;
  });
  try {
    await rename(made, place);
  } catch (error) {
    if (tries === 1) throw error;
    await rm(old, { recursive: true, force: true });
    return swap(made, place, tries - 1);
  }
  await rm(old, { recursive: true, force: true });
}

/**
 * Waits for all tasks, even if one fails: their folder can be removed only once none writes into it any more.
 *
 * @template {readonly unknown[]} Tasks
 * @param {readonly [...Tasks]} tasks
 * @returns {Promise<{ [At in keyof Tasks]: Awaited<Tasks[At]> }>}
 */
async function whole(tasks) {
  return Promise.all(tasks).finally(() => Promise.allSettled(tasks));
}

/**
 * Copies what stands beside the sources and is not bundled with them, such as style sheets. The notebook page's front end
 * is a package of its own.
 *
 * @param {string} out Folder to write into.
 * @param {string} [folder] Below `src`.
 * @returns {Promise<void>}
 */
async function copyAssets(out, folder = '') {
  for (const entry of await readdir(join(root, 'src', folder), { withFileTypes: true })) {
    const path = join(folder, entry.name);
    if (entry.isDirectory()) {
      if (join('src', path) !== front) await copyAssets(out, path);
    } else if (!path.endsWith('.ts')) await cp(join(root, 'src', path), join(out, path));
  }
}

/**
 * Copies the notebook page to `lab`, for the published package, if `npm run page` has built it: it takes too long to be
 * built each time.
 *
 * @param {string} out Folder to write into.
 */
async function copyPage(out) {
  await cp(join(root, front, 'built'), join(out, 'lab'), { recursive: true }).catch((error) => {
    if (error.code !== 'ENOENT') throw error;
  });
}

/** @param {string} temporary An empty folder beside dist. */
async function buildAll(temporary) {
  const bundles = whole([bundleEntries(temporary), bundleDanfo(temporary)]);
  const [inputs] = await whole([bundles, declare(temporary)]);
  await writeFile(join(temporary, 'THIRD_PARTY_LICENSES'), await licensesOf(inputs.flat()));
  for (const name of ['cell-globals.d.ts', 'required-modules.d.ts'])
    await copyFile(join(root, 'src/kernel', name), join(temporary, 'kernel', name));
  await copyAssets(temporary);
  await copyPage(temporary);
  await makeExecutable(join(temporary, 'cli/main.js'));
  await swap(temporary, dist);
}

/** @param {string} temporary An empty folder beside dist. */
async function buildDanfo(temporary) {
  const inputs = await bundleDanfo(temporary);
  await mkdir(dist, { recursive: true });
  await writeFile(join(temporary, 'THIRD_PARTY_LICENSES'), await licensesOf(inputs));
  await swap(join(temporary, 'vendor'), join(dist, 'vendor'));
  await rename(join(temporary, 'THIRD_PARTY_LICENSES'), join(dist, 'THIRD_PARTY_LICENSES'));
}

const started = performance.now();
const temporary = join(root, `.dist-${process.pid}`);
try {
  await mkdir(temporary, { recursive: true });
  await (process.argv[2] === 'danfo' ? buildDanfo(temporary) : buildAll(temporary));
  console.error(`built ${relative(root, dist)} in ${((performance.now() - started) / 1000).toFixed(1)} s`);
} catch (error) {
  console.error(error instanceof Error ? error.message : error);
  process.exitCode = 1;
} finally {
  await rm(temporary, { recursive: true, force: true });
}
