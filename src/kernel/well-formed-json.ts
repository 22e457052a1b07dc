/**
 * A value as JSON in which U+FFFD replaces each unpaired surrogate, as when Node prints it: UTF-8 cannot represent one,
 * and front ends cannot save text with one.
 *
 * @example wellFormedJson('🚀'.slice(0, 1)); // '"\ufffd"'
 */
export function wellFormedJson(value: unknown): string {
  const json = JSON.stringify(value);
  // JSON escapes only surrogates this way, but an escaped backslash may precede the same letters.
  return json.includes('\\ud') ? json.replace(ESCAPED, (each) => (each === '\\\\' ? each : '\ufffd')) : json;
}

const ESCAPED = /\\\\|\\ud[89a-f][0-9a-f]{2}/g;
