import { isLoopback } from './is-loopback.js';
import type { Settings } from './settings/settings.js';

/**
 * Whether a service may answer a request with this Host header. A service with keys answers for any name. An open one
 * is protected only by listening on loopback, which a web page gets around if its own name resolves to loopback (DNS
 * rebinding). So it answers only for loopback addresses, `localhost`, names below it and the host of its base URL.
 *
 * @param host A sound `Host` header; an empty one, which no browser sends, is allowed.
 */
export function isOwnHost(host: string, { open, baseUrl }: Pick<Settings, 'open' | 'baseUrl'>): boolean {
  if (!open || host === '') return true;
  if (!URL.canParse(`http://${host}`)) return false;
  const hostname = new URL(`http://${host}`).hostname.replace(/\.$/, '');
  if (isLoopback(hostname.replace(/^\[|\]$/g, '')) || hostname.endsWith('.localhost')) return true;
  return baseUrl !== undefined && hostname === new URL(baseUrl).hostname;
}
