/**
 * The start and end of elements that reach other sites whatever the page's policy says: `meta` leads there, `link`
 * connects ahead, and so does a browser for a frame before it looks at the policy.
 */
const ACTIVE = /(<\/?)(meta|link|iframe)(?=[\s/>])/gi;

/**
 * HTML of an output for a page that asks for nothing: the elements that a policy cannot hold become others that mean
 * nothing, take the same place and keep what is in them.
 *
 * @param onInert Called with the names of those elements, if there are any.
 * @example inertHtml('<meta http-equiv="refresh" content="0;url=/">', note) // '<param http-equiv=…>'
 */
export function inertHtml(html: string, onInert: (names: string[]) => void): string {
  const names = new Set<string>();
  const inert = html.replace(ACTIVE, (_, start: string, name: string) => {
    names.add(name.toLowerCase());
    // Nothing is ever in `meta` and `link`, nor in `param`, and none of them is seen.
    return start + (/iframe/i.test(name) ? 'inert-iframe' : 'param');
  });
  if (names.size > 0) onInert([...names]);
  return inert;
}
