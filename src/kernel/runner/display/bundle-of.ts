import { jsonCopy } from '../../../base/texts.js';
import type { MimeBundle } from '../../events.js';

/**
 * A value's picture in the form that messages carry: bytes as base64, JSON types as values, everything else as text.
 * Parts that are undefined or null are left out.
 *
 * @param picture Parts by MIME type, or `{ data, metadata }` with the parts in `data`. MIME types contain a slash, so
 * the two cannot be confused.
 * @returns Undefined if it is not such an object or has no parts.
 */
export function bundleOf(picture: unknown): MimeBundle | undefined {
  if (typeof picture !== 'object' || picture === null) return undefined;
  const { data, metadata = {} } = isWhole(picture) ? picture : { data: picture };
  const parts = Object.entries(data).filter(([, part]) => part !== undefined && part !== null);
  if (parts.length === 0) return undefined;
  const written = parts.map(([type, part]) => [type, partOf(type, part)]);
  return { data: Object.fromEntries(written), metadata: jsonCopy(metadata) as Record<string, unknown> };
}

/** Whether front ends take this MIME type as a JSON value. */
export function isJsonType(type: string): boolean {
  return /^[^/]+\/(json|[^;]+\+json)\s*(;|$)/i.test(type);
}

function isWhole(picture: object): picture is { data: object; metadata?: object } {
  const { data, metadata } = picture as { data?: unknown; metadata?: unknown };
  const isObject = (part: unknown) => typeof part === 'object' && part !== null;
  const isNamed = Object.keys(picture).every((key) => key === 'data' || key === 'metadata');
  return isNamed && isObject(data) && (metadata === undefined || isObject(metadata));
}

function partOf(type: string, part: unknown): unknown {
  if (part instanceof Uint8Array) {
    const bytes = Buffer.from(part.buffer, part.byteOffset, part.byteLength);
    return type === 'image/svg+xml' || type.startsWith('text/') ? bytes.toString('utf8') : bytes.toString('base64');
  }
  if (isJsonType(type)) return typeof part === 'string' ? parsed(part) : jsonCopy(part);
  if (typeof part === 'string') return part;
  if (Array.isArray(part) && part.every((line) => typeof line === 'string')) return part.join('');
  return typeof part === 'object' ? jsonCopy(part) : String(part);
}

/** Text that is JSON stands for the value that it encodes; other text is itself the value. */
function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return text;
  }
}
