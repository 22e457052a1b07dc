// How esbuild makes the page of JupyterLab's packages, which are written for webpack.
import { existsSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { build } from 'esbuild';
import { replaced } from './replaced.mjs';

/** The folder of the front end: this one. */
export const front = dirname(fileURLToPath(import.meta.url));
const require = createRequire(import.meta.url);

/**
 * What a package tells of itself in its package.json.
 *
 * @typedef {{ name: string, version: string, license?: string, licenses?: { type: string }[], author?: string | { name: string }, styleModule?: string,
 *   dependencies: Record<string, string>,
 *   jupyterlab?: { extension?: boolean, mimeExtension?: boolean, schemaDir?: string, themePath?: string } }} About
 */

/**
 * Reads the package.json of a folder.
 *
 * @param {string} folder
 * @returns {Promise<About>}
 */
export const about = async (folder) => JSON.parse(await readFile(join(folder, 'package.json'), 'utf8'));

/** @param {string} name The folder of an installed package. */
export const folderOf = (name) => join(front, 'node_modules', name);

/**
 * JupyterLab's extensions among the front end's dependencies: these are what the page consists of.
 *
 * @returns {Promise<About[]>} In the order of their names.
 */
export async function extensionsOf() {
  const names = Object.keys((await about(front)).dependencies);
  const found = await Promise.all(names.map((name) => about(folderOf(name))));
  return found.filter(({ jupyterlab }) => jupyterlab?.extension || jupyterlab?.mimeExtension);
}

/**
 * The modules that src/start-page.ts imports and that are written here: `bundled:extensions`, the extensions' modules, and
 * `bundled:styles`, their style sheets. Themes are not among these: see {@link bundleTheme}.
 *
 * @param {About[]} extensions
 * @returns {Record<string, string>} Their code by their names.
 */
function writtenModules(extensions) {
  const imports = extensions.map(({ name }, at) => `import * as extension${at} from '${name}';`);
  const entries = extensions.map(({ name, jupyterlab }, at) => {
    return `{ name: '${name}', isMime: ${jupyterlab?.mimeExtension === true}, module: extension${at} }`;
  });
  const styles = extensions
    .filter(({ jupyterlab }) => jupyterlab?.themePath === undefined)
    .map(({ name, styleModule }) => `${name}/${styleModule ?? 'style/index.js'}`)
    .filter((path) => existsSync(folderOf(path)));
  return {
    extensions: `${imports.join('\n')}\nexport default [\n${entries.join(',\n')}\n];`,
    styles: styles.map((path) => `import '${path}';`).join('\n'),
  };
}

/**
 * @param {Record<string, string>} modules
 * @returns {import('esbuild').Plugin}
 */
const written = (modules) => ({
  name: 'written',
  setup({ onResolve, onLoad }) {
    onResolve({ filter: /^bundled:/ }, ({ path }) => ({ path: path.slice('bundled:'.length), namespace: 'written' }));
    onLoad({ filter: /.*/, namespace: 'written' }, ({ path }) => ({
      contents: modules[path] ?? '',
      resolveDir: front,
    }));
  },
});

/**
 * An SVG is text to a script and a picture to a style sheet; `*.raw.css` is text. Of fonts in several formats only woff2
 * is kept, which every browser that runs the page reads.
 *
 * @type {import('esbuild').Plugin}
 */
const pictures = {
  name: 'pictures',
  setup({ onResolve, onLoad }) {
    onLoad({ filter: /(\.svg|\.raw\.css)$/ }, async ({ path }) => ({
      contents: await readFile(path, 'utf8'),
      loader: 'text',
    }));
    onResolve({ filter: /\.svg([?#].*)?$/ }, ({ path, kind, resolveDir }) => {
      if (kind !== 'url-token') return undefined;
      if (/fontawesome|fa-/.test(path)) return { path: 'data:,', external: true };
      return { path: join(resolveDir, path.replace(/[?#].*$/, '')), namespace: 'picture' };
    });
    onLoad({ filter: /.*/, namespace: 'picture' }, async ({ path }) => ({
      contents: await readFile(path),
      loader: 'dataurl',
    }));
    onResolve({ filter: /fa-[\w-]+\.(eot|ttf|woff)([?#].*)?$/ }, () => ({ path: 'data:,', external: true }));
  },
};

/**
 * `~PACKAGE/PATH` is how webpack's style sheets name a file of a package.
 *
 * @type {import('esbuild').Plugin}
 */
const tilde = {
  name: 'tilde',
  setup({ onResolve, resolve }) {
    onResolve({ filter: /^~/ }, ({ path, kind, resolveDir }) => resolve(path.slice(1), { kind, resolveDir }));
  },
};

/**
 * Where code is split, `import()` of a CommonJS module gives its default export alone: a module around it names the
 * others, which MathJax's loader and the search ask for.
 *
 * @type {import('esbuild').Plugin}
 */
const named = {
  name: 'named',
  setup({ onResolve, onLoad }) {
    onResolve({ filter: /^(mathjax-full\/|regexp-match-indices$)/ }, ({ path, kind, namespace }) => {
      return kind === 'dynamic-import' && namespace !== 'named' ? { path, namespace: 'named' } : undefined;
    });
    onLoad({ filter: /.*/, namespace: 'named' }, ({ path }) => {
      const names = Object.keys(require(path)).filter((name) => name !== 'default' && name !== '__esModule');
      return {
        contents: `import * as all from '${path}';\nexport const { ${names.join(', ')} } = all;\nexport default all;`,
        resolveDir: front,
      };
    });
  },
};

/** @type {import('esbuild').BuildOptions} */
const shared = {
  absWorkingDir: front,
  bundle: true,
  minify: true,
  metafile: true,
  format: 'esm',
  platform: 'browser',
  target: ['chrome109', 'firefox115', 'safari16.4'],
  logLevel: 'warning',
  legalComments: 'none',
  alias: { path: 'path-browserify' },
  define: {
    'process.env.NODE_ENV': '"production"',
    'process.env': '{}',
    // A page has no working folder: the empty text stands for it, which this function gives.
    'process.cwd': 'String',
    global: 'globalThis',
    __dirname: '""',
  },
  loader: { '.woff': 'file', '.woff2': 'file', '.ttf': 'file', '.png': 'dataurl', '.gif': 'dataurl', '.md': 'text' },
};

/**
 * Bundles the page's code and style sheet.
 *
 * @param {About[]} extensions
 * @param {string} out Folder to write `lab.js`, `lab.css`, `chunks` and `assets` into.
 * @returns {Promise<{ inputs: string[], chunks: string[] }>} The files that went into the bundle, and the chunks that
 *   `lab.js` cannot start without.
 */
export async function bundlePage(extensions, out) {
  const { metafile } = await build({
    ...shared,
    metafile: true,
    entryPoints: { lab: 'src/start-page.ts' },
    outdir: out,
    splitting: true,
    chunkNames: 'chunks/[name]-[hash]',
    assetNames: 'assets/[name]-[hash]',
    plugins: [written(writtenModules(extensions)), tilde, pictures, named, replaced],
  });
  const output = (/** @type {string} */ path) =>
    join(front, path)
      .slice(out.length + 1)
      .replaceAll('\\', '/');
  const chunks = new Set();
  const follow = (/** @type {import('esbuild').Metafile['outputs'][string] | undefined} */ file) => {
    for (const { path, kind } of file?.imports ?? []) {
      if (kind !== 'import-statement' || chunks.has(output(path))) continue;
      chunks.add(output(path));
      follow(metafile.outputs[path]);
    }
  };
  follow(Object.entries(metafile.outputs).find(([path]) => output(path) === 'lab.js')?.[1]);
  return { inputs: Object.keys(metafile.inputs), chunks: [...chunks] };
}

/**
 * Bundles a theme: one style sheet, which the page loads when the theme is chosen.
 *
 * @param {string} path The theme's style sheet.
 * @param {string} outfile
 */
export async function bundleTheme(path, outfile) {
  await build({ ...shared, entryPoints: [path], outfile, assetNames: '[name]-[hash]', plugins: [tilde, pictures] });
}
