import { readFileSync } from 'node:fs';
import { extname, resolve } from 'node:path';

/** Types of pictures by how the names of their files end. */
const TYPES: Readonly<Record<string, string>> = {
  '.avif': 'image/avif',
  '.gif': 'image/gif',
  '.jpeg': 'image/jpeg',
  '.jpg': 'image/jpeg',
  '.png': 'image/png',
  '.svg': 'image/svg+xml',
  '.webp': 'image/webp',
};

/**
 * The address of a picture for a page that needs nothing else: that of a file becomes its content.
 *
 * @param address As Markdown names it: from the notebook's folder on.
 * @param onMissing Called with why the picture cannot be inside; its address then stays as it is.
 */
export function embeddedPicture(address: string, folder: string, onMissing: (why: string) => void): string {
  if (/^data:/i.test(address)) return address;
  try {
    if (/^([a-z][a-z\d+.-]*:|\/\/)/i.test(address)) throw new Error('it is no file beside the notebook');
    const path = resolve(folder, decodeURIComponent(address.replace(/[?#].*$/, '')));
    const type = TYPES[extname(path).toLowerCase()];
    if (type === undefined) throw new Error(`its name ends in none of ${Object.keys(TYPES).join(', ')}`);
    return `data:${type};base64,${readFileSync(path, 'base64')}`;
  } catch (cause) {
    onMissing(cause instanceof Error ? cause.message : String(cause));
    return address;
  }
}
