/**
 * Whether a client holds what has a tag: by weak comparison, as proxies that compress make tags weak.
 *
 * @param held Its `If-None-Match` header; undefined or empty where it holds nothing.
 */
export function holdsTag(held: string | undefined, etag: string): boolean {
  if (held === undefined) return false;
  const opaque = etag.replace('W/', '');
  return held.split(',').some((each) => ['*', opaque, `W/${opaque}`].includes(each.trim()));
}
