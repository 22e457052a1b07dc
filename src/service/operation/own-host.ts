import { isLoopback } from './is-loopback.js';
import type { Settings } from './settings/settings.js';

/**
 * Whether a service may answer for the name that a request asks by. An open one is protected by listening on loopback
 * alone, which a web page passes by where its own name leads there: it answers for loopback addresses, `localhost`,
 * names below it and the host of its base URL. One with keys answers for any name.
 *
 * @param host A sound `Host` header; an empty one, which no browser sends, is no name.
 */
export function isOwnHost(host: string, { open, baseUrl }: Pick<Settings, 'open' | 'baseUrl'>): boolean {
  if (!open || host === '') return true;
  if (!URL.canParse(`http://${host}`)) return false;
  const hostname = new URL(`http://${host}`).hostname.replace(/\.$/, '');
  if (isLoopback(hostname.replace(/^\[|\]$/g, '')) || hostname.endsWith('.localhost')) return true;
  return baseUrl !== undefined && hostname === new URL(baseUrl).hostname;
}
