import { z } from 'zod';

const problem = z.object({
  title: z.string().optional(),
  detail: z.string().optional(),
  errors: z.array(z.object({ pointer: z.string().optional(), detail: z.string() })).optional(),
  error: z.union([z.string(), z.object({ message: z.string() })]).optional(),
  message: z.string().optional(),
});

const REMEDIES: Readonly<Record<number, string>> = {
  401: "Give the service's API key: connect({ apiKey }), or ODDSLAB_API_KEY in the environment of openLab().",
  403: 'This API key may not do that.',
  404: 'Check the base address and the dataset number.',
};

/**
 * What a service said of a request that it refused, in one line, from any of the shapes that servers use: RFC 9457
 * problems, `{error}`, `{message}`, or plain text.
 */
export function failureText(status: number, body: string): string {
  const remedy = REMEDIES[status];
  return `${status} ${saidIn(body)}${remedy === undefined ? '' : ` ${remedy}`}`;
}

/** Whether the body of an answer with a good status tells of a failure all the same, as some servers do. */
export function isFailure(body: string): boolean {
  // Far cheaper than reading a whole page of records twice.
  if (body.length > 10_000) return false;
  const json = jsonOf(body);
  if (typeof json !== 'object' || json === null || 'data' in json) return false;
  return 'error' in json || ('status' in json && json.status === 'error');
}

function saidIn(body: string): string {
  const read = problem.safeParse(jsonOf(body));
  if (!read.success) return ended(plainText(body));
  const { title, detail, errors = [], error, message } = read.data;
  const main = detail ?? (typeof error === 'string' ? error : error?.message) ?? message ?? title ?? '';
  const each = errors.map((entry) => `${entry.pointer ?? ''} ${entry.detail}`.trim());
  return ended([main, each.join('; ')].filter(Boolean).join(' ') || plainText(body));
}

/** The words of a page or a text in one line, no longer than a message may be. */
function plainText(body: string): string {
  const words = body.replaceAll(/<(script|style)\b.*?<\/\1>/gis, ' ').replaceAll(/<[^>]*>/g, ' ');
  return words.replaceAll(/\s+/g, ' ').trim().slice(0, 200);
}

function ended(text: string): string {
  return text === '' ? '(without a reason).' : /[.!?]$/.test(text) ? text : `${text}.`;
}

function jsonOf(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
