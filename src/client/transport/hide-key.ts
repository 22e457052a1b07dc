import { inspect } from 'node:util';

/** Takes an API key out of what is shown. */
export interface KeyHider {
  /** A text from outside, without the key. */
  text(said: string): string;
  /** An error from outside, or undefined where it holds the key anywhere. */
  cause(error: unknown): unknown;
}

/**
 * Servers and proxies may repeat what they were sent, so nothing of theirs is shown before it went through here.
 *
 * @param apiKey Undefined where none is sent: then everything stays as it is.
 */
export function hideKey(apiKey: string | undefined): KeyHider {
  if (!apiKey) return { text: (said) => said, cause: (error) => error };
  const forms = [...new Set([apiKey, encodeURIComponent(apiKey), JSON.stringify(apiKey).slice(1, -1)])];
  return {
    text: (said) => forms.reduce((text, form) => text.replaceAll(form, '[API key]'), said),
    cause(error) {
      const shown = inspect(error, { depth: 10, showHidden: true, maxStringLength: null, maxArrayLength: null });
      return forms.some((form) => shown.includes(form)) ? undefined : error;
    },
  };
}
