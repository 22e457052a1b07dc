import { readFileSync, realpathSync, statSync } from 'node:fs';
import { extname, isAbsolute, relative, resolve, sep } from 'node:path';

/** Picture types by file extension; `looks` matches the first bytes of such a file, read as Latin-1. */
const TYPES: Readonly<Record<string, { type: string; looks: RegExp }>> = {
  '.avif': { type: 'image/avif', looks: /^.{4}ftyp/s },
  '.gif': { type: 'image/gif', looks: /^GIF8/ },
  '.jpeg': { type: 'image/jpeg', looks: /^\xff\xd8\xff/ },
  '.jpg': { type: 'image/jpeg', looks: /^\xff\xd8\xff/ },
  '.png': { type: 'image/png', looks: /^\x89PNG\r\n/ },
  '.svg': { type: 'image/svg+xml', looks: /<(?:\w+:)?svg[\s>]/ },
  '.webp': { type: 'image/webp', looks: /^RIFF.{4}WEBP/s },
};

const MOST_MEGABYTES = 20;

/**
 * The address of a picture in a self-contained page: a file's content as a data URL. Only files in the notebook's
 * folder or below are embedded, because the notebook may come from somebody else.
 *
 * @param address The address in the Markdown, relative to the notebook's folder.
 * @param onMissing Called with the reason if the picture cannot be embedded; its address is then returned unchanged.
 */
export function embeddedPicture(address: string, folder: string, onMissing: (why: string) => void): string {
  if (/^data:/i.test(address)) return address;
  try {
    if (/^([a-z][a-z\d+.-]*:|\/\/)/i.test(address)) throw new Error('it is no file beside the notebook');
    const path = resolve(folder, decodeURIComponent(address.replace(/[?#].*$/, '')));
    const known = TYPES[extname(path).toLowerCase()];
    if (known === undefined) throw new Error(`its name ends in none of ${Object.keys(TYPES).join(', ')}`);
    const bytes = fileWithin(folder, path);
    if (!known.looks.test(bytes.toString('latin1'))) throw new Error(`its content is no ${known.type}`);
    return `data:${known.type};base64,${bytes.toString('base64')}`;
  } catch (cause) {
    onMissing(cause instanceof Error ? cause.message : String(cause));
    return address;
  }
}

function fileWithin(folder: string, path: string): Buffer {
  const real = realpathSync(path);
  const way = relative(realpathSync(folder), real);
  if (way === '..' || way.startsWith(`..${sep}`) || isAbsolute(way))
    throw new Error("it lies outside the notebook's folder");
  const found = statSync(real);
  if (!found.isFile()) throw new Error('it is no file');
  if (found.size > MOST_MEGABYTES * 1e6) throw new Error(`it is larger than ${MOST_MEGABYTES} MB`);
  return readFileSync(real);
}
