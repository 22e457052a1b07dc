/**
 * The start and end of elements that reach other sites whatever the page's policy says: `meta` leads there, `link`
 * connects ahead, and so does a browser for a frame before it looks at the policy.
 */
const ACTIVE = /(<\/?)(meta|link|iframe)(?=[\s/>])/gi;
/** What a reader may miss: most of `meta`, and a `link` without `rel`, does nothing anyway. */
const MISSED = /<(script|iframe|meta(?=[^<>]*http-equiv\s*=\s*["']?refresh)|link(?=[^<>]*rel))(?=[\s/>])/gi;

/**
 * HTML of an output for a page that asks for nothing: the elements that a policy cannot hold become others that mean
 * nothing, take the same place and keep what is in them.
 *
 * @param onMissed Called with the names of the elements that have no effect in the page, if there are any.
 * @example inertHtml('<meta http-equiv="refresh" content="0;url=/">', note) // '<param http-equiv=…>'
 */
export function inertHtml(html: string, onMissed: (names: string[]) => void): string {
  const missed = new Set(Array.from(html.matchAll(MISSED), ([, name = '']) => name.toLowerCase()));
  if (missed.size > 0) onMissed([...missed]);
  // Nothing is ever in `meta` and `link`, nor in `param`, and none of them is seen.
  return html.replace(
    ACTIVE,
    (_, start: string, name: string) => start + (/iframe/i.test(name) ? 'inert-iframe' : 'param'),
  );
}
