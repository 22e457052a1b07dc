const SVG = /^\uFEFF?\s*(<\?xml[^>]*\?>\s*)?(<!--((?!-->)[\s\S])*-->\s*|<!DOCTYPE\s+svg[^>]*>\s*)*<svg[\s>]/i;
/** How many bytes of a text are searched for the start of the SVG. */
const SVG_HEAD = 2048;

const starts = (bytes: Buffer, at: number, magic: string): boolean =>
  bytes.toString('latin1', at, at + magic.length) === magic;

const FORMATS: readonly { type: string; name: string; is: (bytes: Buffer) => boolean; size?: typeof pngSize }[] = [
  { type: 'image/png', name: 'PNG', is: (bytes) => starts(bytes, 0, '\x89PNG\r\n\x1a\n'), size: pngSize },
  { type: 'image/jpeg', name: 'JPEG', is: (bytes) => starts(bytes, 0, '\xff\xd8\xff') },
  {
    type: 'image/gif',
    name: 'GIF',
    is: (bytes) => starts(bytes, 0, 'GIF87a') || starts(bytes, 0, 'GIF89a'),
    size: gifSize,
  },
  { type: 'image/webp', name: 'WebP', is: (bytes) => starts(bytes, 0, 'RIFF') && starts(bytes, 8, 'WEBP') },
];

/**
 * The picture that bytes hold, recognized by their first bytes: PNG, JPEG, GIF, WebP or SVG text.
 *
 * @returns Its MIME type, the bytes and a line that describes it; undefined for other bytes.
 * @example pictureOfBytes(await readFile('chart.png')); // { type: 'image/png', bytes, text: 'PNG image, 640 × 480, 12,345 bytes' }
 */
export function pictureOfBytes(value: Uint8Array): { type: string; bytes: Buffer; text: string } | undefined {
  const bytes = Buffer.from(value.buffer, value.byteOffset, value.byteLength);
  const format = FORMATS.find(({ is }) => is(bytes));
  if (format) return { type: format.type, bytes, text: line(format.name, bytes, format.size?.(bytes)) };
  if (SVG.test(bytes.toString('utf8', 0, SVG_HEAD))) return { type: 'image/svg+xml', bytes, text: line('SVG', bytes) };
  return undefined;
}

function line(name: string, bytes: Buffer, size?: string): string {
  return [`${name} image`, size, `${bytes.length.toLocaleString('en-US')} bytes`].filter(Boolean).join(', ');
}

function pngSize(bytes: Buffer): string | undefined {
  return bytes.length < 24 ? undefined : `${bytes.readUInt32BE(16)} × ${bytes.readUInt32BE(20)}`;
}

function gifSize(bytes: Buffer): string | undefined {
  return bytes.length < 10 ? undefined : `${bytes.readUInt16LE(6)} × ${bytes.readUInt16LE(8)}`;
}
