import { isLoopback } from '../operation/is-loopback.js';

/** Whether the host of a URL is a loopback one: `localhost`, `127.0.0.0/8`, `::1`. */
export function isLoopbackUrl(url: string): boolean {
  return isLoopback(new URL(url).hostname.replace(/^\[|\]$/g, ''));
}

/**
 * Whether forms of this origin are accepted: it is the base URL's own origin or, on loopback, another name of this
 * machine with the same port.
 */
export function isOwnOrigin(origin: string, baseUrl: string): boolean {
  const base = new URL(baseUrl);
  if (origin === base.origin) return true;
  const names = ['localhost', '127.0.0.1', '[::1]'].map((name) => `${base.protocol}//${name}`);
  return isLoopbackUrl(baseUrl) && names.some((name) => origin === (base.port ? `${name}:${base.port}` : name));
}
