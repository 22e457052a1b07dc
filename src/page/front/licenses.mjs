// The licences of what the page is bundled of.
import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { about, front } from './bundle.mjs';

/**
 * Collects the licence text of each bundled package. One without a licence file gets the text of the licence that its
 * package.json states, with the author named there as its holder: so do JupyterLab's own packages.
 *
 * @param {string[]} inputs Bundled files, as esbuild names them: relative to this folder.
 * @returns {Promise<string>}
 * @throws {Error} If the terms of a package are not known.
 */
export async function licensesOf(inputs) {
  const folders = [...new Set(inputs.map(packageOf))].filter((folder) => folder !== undefined).sort();
  const sections = await Promise.all(folders.map(sectionOf));
  return `The notebook page is bundled of these packages and of code of Oddslab.\n\n${sections.join(`\n${'-'.repeat(78)}\n\n`)}`;
}

/** @param {string} folder */
async function sectionOf(folder) {
  const facts = await about(join(front, folder));
  const files = await readdir(join(front, folder));
  const file = files.find((name) => /^(licen[cs]e|copying)/i.test(name));
  const text = file ? await readFile(join(front, folder, file), 'utf8') : statedTerms(facts);
  const notices = files.filter((name) => name !== file && /notice/i.test(name)).sort();
  const told = await Promise.all(notices.map((name) => readFile(join(front, folder, name), 'utf8')));
  return `${facts.name} ${facts.version} (${licenseOf(facts)})\n\n${[text, ...told].map((each) => each.trim()).join('\n\n')}\n`;
}

/**
 * The licence that a package states, in either of the ways to state it.
 *
 * @param {import('./bundle.mjs').About} facts
 * @throws {Error} If it states none.
 */
function licenseOf({ name, license, licenses }) {
  const stated = license ?? licenses?.map(({ type }) => type).join(' OR ');
  if (!stated) throw new Error(`${name} states no licence: find out its terms before the page is bundled with it.`);
  return stated;
}

/**
 * The folder of the package that a bundled file comes from; undefined for our own files.
 *
 * @param {string} input
 */
function packageOf(input) {
  const parts = input.replace(/^[\w-]+:/, '').split(/[\\/]/);
  const at = parts.lastIndexOf('node_modules');
  if (at < 0) return undefined;
  return parts.slice(parts.indexOf('node_modules'), at + (parts[at + 1]?.startsWith('@') ? 3 : 2)).join('/');
}

/**
 * The terms of a package that ships no licence file.
 *
 * @param {import('./bundle.mjs').About} facts
 */
function statedTerms(facts) {
  const { name, author } = facts;
  const license = licenseOf(facts);
  const holder = typeof author === 'object' ? author.name : author?.replace(/ \(http.*\)$/, '');
  const terms = license === 'BSD-3-Clause' ? BSD : license === 'MIT' ? MIT : undefined;
  if (terms === undefined || holder === undefined) {
    throw new Error(`${name} has no licence file: find out its terms before the page is bundled with it.`);
  }
  return `Copyright (c) ${holder}\n\n${terms}`;
}

const BSD = `Redistribution and use in source and binary forms, with or without modification, are permitted provided that the
following conditions are met:

1. Redistributions of source code must retain the above copyright notice, this list of conditions and the following
   disclaimer.

2. Redistributions in binary form must reproduce the above copyright notice, this list of conditions and the following
   disclaimer in the documentation and/or other materials provided with the distribution.

3. Neither the name of the copyright holder nor the names of its contributors may be used to endorse or promote products
   derived from this software without specific prior written permission.

THIS SOFTWARE IS PROVIDED BY THE COPYRIGHT HOLDERS AND CONTRIBUTORS "AS IS" AND ANY EXPRESS OR IMPLIED WARRANTIES,
INCLUDING, BUT NOT LIMITED TO, THE IMPLIED WARRANTIES OF MERCHANTABILITY AND FITNESS FOR A PARTICULAR PURPOSE ARE
DISCLAIMED. IN NO EVENT SHALL THE COPYRIGHT HOLDER OR CONTRIBUTORS BE LIABLE FOR ANY DIRECT, INDIRECT, INCIDENTAL,
SPECIAL, EXEMPLARY, OR CONSEQUENTIAL DAMAGES (INCLUDING, BUT NOT LIMITED TO, PROCUREMENT OF SUBSTITUTE GOODS OR SERVICES;
LOSS OF USE, DATA, OR PROFITS; OR BUSINESS INTERRUPTION) HOWEVER CAUSED AND ON ANY THEORY OF LIABILITY, WHETHER IN
CONTRACT, STRICT LIABILITY, OR TORT (INCLUDING NEGLIGENCE OR OTHERWISE) ARISING IN ANY WAY OUT OF THE USE OF THIS
SOFTWARE, EVEN IF ADVISED OF THE POSSIBILITY OF SUCH DAMAGE.`;

const MIT = `Permission is hereby granted, free of charge, to any person obtaining a copy of this software and associated
documentation files (the "Software"), to deal in the Software without restriction, including without limitation the
rights to use, copy, modify, merge, publish, distribute, sublicense, and/or sell copies of the Software, and to permit
persons to whom the Software is furnished to do so, subject to the following conditions:

The above copyright notice and this permission notice shall be included in all copies or substantial portions of the
Software.

THE SOFTWARE IS PROVIDED "AS IS", WITHOUT WARRANTY OF ANY KIND, EXPRESS OR IMPLIED, INCLUDING BUT NOT LIMITED TO THE
WARRANTIES OF MERCHANTABILITY, FITNESS FOR A PARTICULAR PURPOSE AND NONINFRINGEMENT. IN NO EVENT SHALL THE AUTHORS OR
COPYRIGHT HOLDERS BE LIABLE FOR ANY CLAIM, DAMAGES OR OTHER LIABILITY, WHETHER IN AN ACTION OF CONTRACT, TORT OR
OTHERWISE, ARISING FROM, OUT OF OR IN CONNECTION WITH THE SOFTWARE OR THE USE OR OTHER DEALINGS IN THE SOFTWARE.`;
