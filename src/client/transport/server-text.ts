import { inspect } from 'node:util';
import { isObject } from '../../base/texts.js';
import { systemErrorCode } from '../../base/whole-file.js';

const REMEDIES: Readonly<Record<number, string>> = {
  401:
    "Give the service's API key: connect({ apiKey }), or ODDSLAB_API_KEY in the environment of openLab() and of the " +
    'command line. For a service of your own, `oddslab keys create` makes one.',
  403: 'This API key may not do that.',
  404: 'Check the dataset number, and that the base address ends before the path of the queries.',
};

/** Longest body that may be a failure, so that large pages of records are not parsed twice. */
const LONGEST_FAILURE = 10_000;

/**
 * What a service said about a refused request, in one line. It reads the forms that servers use: RFC 9457 problems,
 * `{error}`, `{message}`, `{errors}`, HTML pages and plain text.
 */
export function failureText(status: number, body: string): string {
  const remedy = REMEDIES[status];
  return `${status} ${ended(saidIn(status, body.slice(0, LONGEST_FAILURE)))}${remedy === undefined ? '' : ` ${remedy}`}`;
}

/** Whether the body of an answer with a good status reports a failure, as some servers do. */
export function isFailure(body: Uint8Array): boolean {
  if (body.length > LONGEST_FAILURE) return false;
  const bytes = Buffer.from(body.buffer, body.byteOffset, body.length);
  // Nearly every good answer has data and no error, and is not parsed a second time.
  if (!bytes.includes('"error"') && bytes.includes('"data"')) return false;
  const json = jsonOf(bytes.toString());
  if (!isObject(json) || 'data' in json) return false;
  return 'error' in json || json.status === 'error' || saidInObject(json) !== '';
}

function saidIn(status: number, body: string): string {
  const json = jsonOf(body);
  const said = isObject(json) ? saidInObject(json) : typeof json === 'string' ? json : '';
  // Proxies' pages begin with the status, which already precedes this text.
  return oneLine(said) || oneLine(wordsOf(body)).replace(new RegExp(`^${status}\\b[\\s:-]*`), '');
}

function saidInObject(json: Readonly<Record<string, unknown>>): string {
  const { title, detail, errors, error, message } = json;
  const nested = isObject(error) ? (error.message ?? error.detail ?? error.code) : error;
  const main = [detail, nested, message, title].find((text) => typeof text === 'string' && text !== '') ?? '';
  const list = Array.isArray(errors) ? errors : Array.isArray(detail) ? detail : [];
  return [main, list.map(entryText).filter(Boolean).join('; ')].filter(Boolean).join(' ');
}

/** One of several reasons: text, or an object that names a place and says what is wrong there. */
function entryText(entry: unknown): string {
  if (!isObject(entry)) return typeof entry === 'string' ? entry : '';
  const said = entry.detail ?? entry.message ?? entry.msg;
  const place = Array.isArray(entry.loc) ? entry.loc.join('/') : (entry.pointer ?? '');
  return typeof said === 'string' ? `${place} ${said}`.trim() : '';
}

/** The heading of an HTML page, or else the words of a page or a text. */
function wordsOf(body: string): string {
  const heading = /<(title|h1)\b[^>]*>([^<]+)</i.exec(body)?.[2]?.trim();
  const words = heading || body.replaceAll(/<(script|style)\b.*?<\/\1>/gis, ' ').replaceAll(/<[^>]*>/g, ' ');
  return /<\w/.test(body) ? withoutEntities(words) : words;
}

const ENTITIES = new Map(Object.entries({ lt: '<', gt: '>', quot: '"', apos: "'", nbsp: ' ', amp: '&' }));

/** The characters that HTML writes as entities; rare ones stay as they are. */
function withoutEntities(text: string): string {
  return text.replaceAll(/&(?:#(\d{1,7})|#x([\da-f]{1,6})|(\w+));/gi, (entity, decimal, hex, name) => {
    if (name !== undefined) return ENTITIES.get(name) ?? entity;
    const point = decimal === undefined ? Number.parseInt(hex, 16) : Number(decimal);
    return point <= 0x10ffff ? String.fromCodePoint(point) : entity;
  });
}

/** A text without control characters, shortened to the length of a message. */
function oneLine(text: string): string {
  const plain = text.replaceAll(/[\p{Cc}\p{Cf}\s]+/gu, ' ').trim();
  return plain.length > 300 ? `${plain.slice(0, 299)}…` : plain;
}

function ended(text: string): string {
  return text === '' ? '(without a reason).' : /[.!?…]$/.test(text) ? text : `${text}.`;
}

function jsonOf(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

const REASONS: Readonly<Record<string, string>> = {
  UND_ERR_CONNECT_TIMEOUT: 'no connection in time (connectTimeoutMs)',
  UND_ERR_HEADERS_TIMEOUT: 'no answer began in time (headersTimeoutMs)',
  UND_ERR_BODY_TIMEOUT: 'its answer stood still for too long (bodyTimeoutMs)',
  ERR_SSL_WRONG_VERSION_NUMBER: 'the other end does not speak https',
};

/** Error codes for certificates whose signer Node.js does not know. */
const UNTRUSTED = /^(DEPTH_ZERO_)?SELF_SIGNED|^UNABLE_TO_(GET_ISSUER|VERIFY_LEAF)/;

/**
 * Describes a fault of a connection: the reason in a few words, and the message around it.
 *
 * @param status Status of the answer that broke off; undefined if none began.
 */
export function wireFailure(
  url: URL,
  status: number | undefined,
  fault: unknown,
  proxied: boolean,
): { message: string; reason: string } {
  const reason = reasonOf(fault);
  if (status !== undefined) {
    return { reason, message: `The query service broke off its answer (POST ${url.href}): ${reason}.` };
  }
  const remedy = remedyOf(fault, proxied);
  return { reason, message: `The query service could not be reached (POST ${url.href}): ${reason}. ${remedy}` };
}

function remedyOf(fault: unknown, proxied: boolean): string {
  if (UNTRUSTED.test(systemErrorCode(fault) ?? '')) {
    return 'If you trust the certificate, start Node.js with NODE_EXTRA_CA_CERTS naming the file of who signed it.';
  }
  if (!proxied && systemErrorCode(fault) === 'ERR_SSL_WRONG_VERSION_NUMBER') {
    return 'Perhaps the address (ODDSLAB_URL) should begin with http:, not https:.';
  }
  return proxied
    ? 'Check the address (ODDSLAB_URL) and the proxy (HTTP_PROXY, HTTPS_PROXY, NO_PROXY).'
    : 'Check the address (ODDSLAB_URL), or start a service with "oddslab serve".';
}

/** The reason for a fault; a refused connection has it one level down. */
function reasonOf(error: unknown): string {
  if (error instanceof AggregateError) return [...new Set(error.errors.map((inner) => reasonOf(inner)))].join('; ');
  if (!(error instanceof Error)) return String(error);
  return REASONS['code' in error ? String(error.code) : ''] ?? (error.message || error.name);
}

/** Shortest length of a key that is looked for in data. */
const SHORTEST = 8;

/** Removes an API key from what is shown. */
export interface KeyHider {
  /** Returns a text from outside without the key. */
  text(said: string): string;
  /** Whether bytes hold the key; always false for a key so short that it may occur by chance. */
  isIn(bytes: Uint8Array): boolean;
  /** Returns an error from outside, or undefined if it holds the key anywhere. */
  cause(error: unknown): unknown;
}

/**
 * Makes a hider of an API key. Servers and proxies may repeat what they were sent, so all their texts must pass through
 * it.
 *
 * @param apiKey The key; if undefined, everything stays as it is.
 */
export function hideKey(apiKey: string | undefined): KeyHider {
  if (!apiKey) return { text: (said) => said, isIn: () => false, cause: (error) => error };
  const forms = formsOf(apiKey);
  const marks = apiKey.length < SHORTEST ? [] : forms.map((form) => Buffer.from(form));
  return {
    text: (said) => forms.reduce((text, form) => text.replaceAll(form, '[API key]'), said),
    isIn(bytes) {
      const sought = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
      return marks.some((mark) => sought.includes(mark));
    },
    cause(error) {
      const shown = inspect(error, { depth: 10, showHidden: true, maxStringLength: null, maxArrayLength: null });
      return forms.some((form) => shown.includes(form)) ? undefined : error;
    },
  };
}

/** The key as it is, and as programs write it in URLs, JSON and base64; longer forms first. */
function formsOf(apiKey: string): string[] {
  const loose = encodeURIComponent(apiKey);
  const strict = loose.replaceAll(/[!'()*]/g, (mark) => `%${mark.charCodeAt(0).toString(16).toUpperCase()}`);
  const inAddresses = [loose, strict].flatMap((form) => [form, form.replaceAll('%2F', '/')]);
  const bytes = Buffer.from(apiKey);
  const inBase64 = [bytes.toString('base64').replace(/=+$/, ''), bytes.toString('base64url')];
  const forms = new Set([apiKey, ...inAddresses, JSON.stringify(apiKey).slice(1, -1), ...inBase64]);
  return [...forms].sort((form, other) => other.length - form.length);
}
