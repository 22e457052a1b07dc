/** The proxies of an environment, as undici takes them. */
export interface Proxies {
  httpProxy: string;
  httpsProxy: string;
  noProxy: string;
}

/**
 * The proxies that `HTTP_PROXY`, `HTTPS_PROXY` and `NO_PROXY` name, in upper or lower case; lower case takes
 * precedence.
 *
 * @returns Undefined if none is named, and for a service on this machine, which no proxy can reach.
 */
export function proxiesOf(url: URL, environment: NodeJS.ProcessEnv): Proxies | undefined {
  if (/^(localhost|.*\.localhost|127(\.\d+){3}|\[::1\])$/.test(url.hostname)) return undefined;
  const named = (name: string) => environment[name] || environment[name.toUpperCase()] || '';
  const httpProxy = addressOf(named('http_proxy'));
  const httpsProxy = addressOf(named('https_proxy'));
  return httpProxy || httpsProxy ? { httpProxy, httpsProxy, noProxy: named('no_proxy') } : undefined;
}

/** The address of a proxy, with `http://` if its protocol is left out. */
function addressOf(value: string): string {
  return value === '' || value.includes('://') ? value : `http://${value}`;
}
