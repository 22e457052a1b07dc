/**
 * A value as JSON, in which U+FFFD stands for each half of a character whose other half is missing, as where Node prints
 * it: UTF-8 has nothing for such a half, and front ends cannot save what holds one.
 *
 * @example wellFormedJson('🚀'.slice(0, 1)); // '"\ufffd"'
 */
export function wellFormedJson(value: unknown): string {
  const json = JSON.stringify(value);
  // JSON escapes nothing else so, but the text may hold a backslash, itself escaped, before the same letters.
  return json.includes('\\ud') ? json.replace(ESCAPED, (each) => (each === '\\\\' ? each : '\ufffd')) : json;
}

const ESCAPED = /\\\\|\\ud[89a-f][0-9a-f]{2}/g;
