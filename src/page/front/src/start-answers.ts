/** How long after the page's start what came with it counts as new. */
const FRESH_MS = 3000;

interface Answer {
  readonly text: string;
  /** Whether nothing that the page does changes it. */
  readonly isLasting: boolean;
}

/** What the server has sent along with the page, by the addresses of requests. Later elements are none of the server's. */
const answers = new Map<string, Answer>();
for (const element of document.querySelectorAll<HTMLElement>('script[data-answer]')) {
  const { answer = '', lasting } = element.dataset;
  answers.set(answer, { text: element.textContent ?? '', isLasting: lasting !== undefined });
  element.remove();
}
setTimeout(() => answers.clear(), FRESH_MS);

/**
 * Gives the answer to a request that the server has sent along with the page. Once the page has changed anything, it asks
 * the server for all that may have changed with that.
 *
 * @returns Undefined for all other requests.
 */
export function startAnswer(asked: RequestInfo | URL): Response | undefined {
  if (!(asked instanceof Request)) return undefined;
  if (asked.method !== 'GET') {
    for (const [address, { isLasting }] of answers) if (!isLasting) answers.delete(address);
    return undefined;
  }
  const { pathname, search } = new URL(asked.url);
  // JupyterLab puts the time behind each address, against caches.
  const answer = answers.get(`${pathname}${search.replace(/[?&]\d+$/, '')}`);
  return answer && new Response(answer.text, { headers: { 'content-type': 'application/json' } });
}
