// Builds the notebook page: `node src/page/front/build.mjs FOLDER`, where this folder's packages are installed.
// `npm run page` installs them and builds, as `oddslab lab` does in a clone.
import { cp, mkdir, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { brotliCompress, constants } from 'node:zlib';
import { bundlePage, bundleTheme, extensionsOf, folderOf, front } from './bundle.mjs';
import { licensesOf } from './licenses.mjs';

/**
 * Copies the schemas of the extensions' settings, with our defaults from overrides.json in the place of theirs.
 *
 * @param {import('./bundle.mjs').About[]} extensions
 * @param {string} out
 */
async function copySchemas(extensions, out) {
  for (const { name, jupyterlab } of extensions) {
    if (!jupyterlab?.schemaDir) continue;
    await cp(join(folderOf(name), jupyterlab.schemaDir), join(out, name), { recursive: true });
  }
  const overrides = JSON.parse(await readFile(join(front, 'overrides.json'), 'utf8'));
  for (const [id, defaults] of Object.entries(overrides)) {
    const path = join(out, `${id.replace(':', '/')}.json`);
    const schema = JSON.parse(await readFile(path, 'utf8'));
    for (const [name, value] of Object.entries(defaults)) {
      if (!schema.properties[name]) throw new Error(`overrides.json: ${id} has no setting named ${name}`);
      schema.properties[name].default = value;
    }
    await writeFile(path, JSON.stringify(schema, null, 2));
  }
}

/**
 * Replaces each file that becomes smaller by its Brotli form, `NAME.br`; the server unpacks it for who cannot. Schemas
 * stay, since the server reads them itself, as do licences, which people read.
 *
 * @param {string} out
 */
async function compress(out) {
  const files = await readdir(out, { recursive: true });
  const texts = files.filter((name) => /\.(js|css|svg)$/.test(name));
  await Promise.all(
    texts.map(async (name) => {
      const bytes = await readFile(join(out, name));
      const packed = await promisify(brotliCompress)(bytes, {
        params: { [constants.BROTLI_PARAM_QUALITY]: 11, [constants.BROTLI_PARAM_SIZE_HINT]: bytes.length },
      });
      if (packed.length >= bytes.length) return;
      await writeFile(join(out, `${name}.br`), packed);
      await rm(join(out, name));
    }),
  );
}

const [out] = process.argv.slice(2);
if (out === undefined) throw new Error('Name the folder to build into: node src/page/front/build.mjs FOLDER');
await mkdir(out, { recursive: true });
const extensions = await extensionsOf();
const { inputs, chunks } = await bundlePage(extensions, out);
// The server names them in the page, so that browsers ask for all of them at once.
await writeFile(join(out, 'chunks.json'), JSON.stringify(chunks));
for (const { name, jupyterlab } of extensions) {
  if (!jupyterlab?.themePath) continue;
  await bundleTheme(join(folderOf(name), jupyterlab.themePath), join(out, 'themes', name, 'index.css'));
}
await copySchemas(extensions, join(out, 'schemas'));
await writeFile(join(out, 'THIRD_PARTY_LICENSES'), await licensesOf(inputs));
await compress(out);
