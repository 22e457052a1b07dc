/** The proxies of an environment, as undici takes them. */
export interface Proxies {
  httpProxy: string;
  httpsProxy: string;
  noProxy: string;
}

/**
 * The proxies that `HTTP_PROXY`, `HTTPS_PROXY` and `NO_PROXY` name, in either case; lower case goes first.
 *
 * @returns Undefined where none is named, and for a service on this machine, which no proxy can reach.
 */
export function proxiesOf(url: URL, environment: NodeJS.ProcessEnv): Proxies | undefined {
  if (/^(localhost|.*\.localhost|127(\.\d+){3}|\[::1\])$/.test(url.hostname)) return undefined;
  const named = (name: string) => environment[name] || environment[name.toUpperCase()] || '';
  const httpProxy = addressOf(named('http_proxy'));
  const httpsProxy = addressOf(named('https_proxy'));
  return httpProxy || httpsProxy ? { httpProxy, httpsProxy, noProxy: named('no_proxy') } : undefined;
}

/** Many write a proxy without its protocol. */
function addressOf(value: string): string {
  return value === '' || value.includes('://') ? value : `http://${value}`;
}
