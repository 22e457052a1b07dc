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

function isObject(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

function jsonOf(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
