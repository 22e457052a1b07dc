/**
 * The tags of elements that reach other sites whatever the page's policy says: `meta` redirects, `link` connects in
 * advance, and for an `iframe` the browser connects before it checks the policy.
 */
const ACTIVE = /(<\/?)(meta|link|iframe)(?=[\s/>])/gi;
/** Elements whose effect a reader may miss; other kinds of `meta`, and a `link` without `rel`, have none. */
const MISSED = /<(script|iframe|meta(?=[^<>]*http-equiv\s*=\s*["']?refresh)|link(?=[^<>]*rel))(?=[\s/>])/gi;

/**
 * Makes HTML of an output safe for a page that must send no request: elements that a policy cannot stop are renamed to
 * inert ones, which keep their place and content.
 *
 * @param onMissed Called with the names of elements that have no effect in the page, if there are any.
 * @example inertHtml('<meta http-equiv="refresh" content="0;url=/">', note) // '<param http-equiv=…>'
 */
export function inertHtml(html: string, onMissed: (names: string[]) => void): string {
  const missed = new Set(Array.from(html.matchAll(MISSED), ([, name = '']) => name.toLowerCase()));
  if (missed.size > 0) onMissed([...missed]);
  // Like `meta` and `link`, `param` is empty and invisible.
  return html.replace(
    ACTIVE,
    (_, start: string, name: string) => start + (/iframe/i.test(name) ? 'inert-iframe' : 'param'),
  );
}
