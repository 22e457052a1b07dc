// Modules of packages in whose place the page has others: what they do when they are loaded is much of the page's start.
import { readFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { dirname } from 'node:path';

const require = createRequire(import.meta.url);

/** The one grammar for which JupyterLab generates a parser: that of plain text, in each page anew. */
const PLAIN_TEXT = '@top Program { }';

/**
 * The modules that are replaced, by the ends of their paths or by the names by which they are imported.
 *
 * @type {{ match: RegExp, module: (path: string) => Promise<string> | string }[]}
 */
const MODULES = [
  {
    // It waits for the browser's storage as soon as it is loaded. src/window-name.ts does its work.
    match: /@jupyterlab[\\/]apputils[\\/]lib[\\/]windowresolver\.js$/,
    module: () => 'export class WindowResolver {}',
  },
  {
    // Before each request it waits for the browser's cookies. Those of our server are none that a page could read.
    match: /@jupyterlab[\\/]services[\\/]lib[\\/]serverconnection\.js$/,
    module: async (path) => changed(await readFile(path, 'utf8'), "getCookie('_xsrf')", 'undefined'),
  },
  {
    // Its checker of forms is made, with all of Ajv, with the first form.
    match: /@rjsf[\\/]validator-ajv8[\\/]lib[\\/]index\.js$/,
    module: () => `
      import customizeValidator from './customizeValidator.js';
      let made;
      export default new Proxy({}, {
        get(_, name) {
          made ??= customizeValidator();
          const value = made[name];
          return typeof value === 'function' ? value.bind(made) : value;
        },
      });
      export { customizeValidator };`,
  },
  {
    match: /@lezer[\\/]generator[\\/]dist[\\/]index\.js$/,
    module: () => {
      const { parser } = require('@lezer/generator').buildParserFile(PLAIN_TEXT, { moduleStyle: 'es' });
      return `${parser}
        export function buildParser(grammar) {
          if (grammar !== ${JSON.stringify(PLAIN_TEXT)}) throw new TypeError('No parser was made for ' + grammar);
          return parser;
        }`;
    },
  },
];

/**
 * Exchanges a piece of a text that is there once.
 *
 * @param {string} text
 * @param {string} before
 * @param {string} after
 */
function changed(text, before, after) {
  if (text.split(before).length !== 2) throw new Error(`A package has changed: ${before} is not there once.`);
  return text.replace(before, after);
}

/** @type {import('esbuild').Plugin} */
export const replaced = {
  name: 'replaced',
  setup({ onLoad, onEnd }) {
    const missing = new Set(MODULES);
    for (const each of MODULES) {
      onLoad({ filter: each.match }, async ({ path }) => {
        missing.delete(each);
        return { contents: await each.module(path), resolveDir: dirname(path) };
      });
    }
    onEnd(() => {
      const errors = [...missing].map(({ match }) => ({ text: `There is no module ${match} to be replaced.` }));
      return { errors };
    });
  },
};
