import type { MimeBundle } from '../../events.js';
import { jsonCopy } from './json-copy.js';

/**
 * A picture of a value as messages carry it: bytes as base64, JSON types as values, everything else as text. Parts that
 * are undefined or null are left out.
 *
 * @param picture Parts by MIME type, or `{ data, metadata }` with the parts in `data`: the name of a type has a slash, so
 *   neither is taken for the other.
 * @returns Undefined for what is no such object, or has no parts.
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

/** JSON that comes as text is meant as the value that it writes; other text is a value itself. */
function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return text;
  }
}
