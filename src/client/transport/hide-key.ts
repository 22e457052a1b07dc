import { inspect } from 'node:util';

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
