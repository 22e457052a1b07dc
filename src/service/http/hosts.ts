import { isIP } from 'node:net';
import type { Settings } from '../settings/settings.js';

/** How the service learns the address under which it was called. */
interface AddressOptions {
  /** The address that the operator has set; it overrides all others. */
  baseUrl: string | undefined;
  /** Whether to trust a proxy's headers: the last values of X-Forwarded-Host and X-Forwarded-Proto. */
  trustProxy: boolean;
  /** The address that the service listens on, for a request that names none. */
  own: () => string;
}

/**
 * The address under which the sender of a request reaches the service, such as `http://odds.lan:8787`, to be shown to
 * them. A malformed host is ignored, since anybody can send anything.
 */
export function addressOf(headers: Headers, { baseUrl, trustProxy, own }: AddressOptions): string {
  if (baseUrl !== undefined) return baseUrl.replace(/\/+$/, '');
  const forwarded = (name: string) => (trustProxy ? headers.get(name)?.split(',').at(-1)?.trim() : undefined);
  const host = [forwarded('X-Forwarded-Host'), headers.get('Host')].find((each) => each != null && isHost(each));
  const scheme = forwarded('X-Forwarded-Proto')?.toLowerCase() === 'https' ? 'https' : 'http';
  return host == null ? own() : `${scheme}://${host.toLowerCase()}`;
}

/** Whether text is a name or an address with an optional port; it is then safe in a shell command or a page. */
function isHost(text: string): boolean {
  const [, name = '', ip, port = '80'] =
    /^([a-z0-9](?:[\w.-]{0,251}[a-z0-9])?|\[([\da-f:.]+)\])(?::(\d{1,5}))?$/i.exec(text) ?? [];
  return name !== '' && Number(port) <= 65_535 && (ip === undefined || isIP(ip) === 6);
}

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

/** Whether the host of a URL is a loopback one: `localhost`, `127.0.0.0/8`, `::1`. */
export function isLoopbackUrl(url: string): boolean {
  return isLoopback(new URL(url).hostname.replace(/^\[|\]$/g, ''));
}

/** Whether forms of this origin are accepted: the base URL's or, on loopback, another name of this machine's. */
export function isOwnOrigin(origin: string, baseUrl: string): boolean {
  const base = new URL(baseUrl);
  if (origin === base.origin) return true;
  const names = ['localhost', '127.0.0.1', '[::1]'].map((name) => `${base.protocol}//${name}`);
  return isLoopbackUrl(baseUrl) && names.some((name) => origin === (base.port ? `${name}:${base.port}` : name));
}

/**
 * The name under which a client is counted: an IPv4 address itself, or the 64-bit network of an IPv6 address.
 *
 * @param text An address in any spelling: in brackets, with a zone, or with a port, as some proxies write it.
 * @returns Undefined if it is no address.
 * @example clientNetwork('9.9.9.7:1000'); // '9.9.9.7'
 * @example clientNetwork('2001:db8::7:1:2:3'); // '2001:db8:0:0'
 */
export function clientNetwork(text: string): string | undefined {
  const [, bracketed, ported] = /^\[(.*)\](?::\d+)?$|^([\d.]+):\d+$/.exec(text) ?? [];
  const address = (bracketed ?? ported ?? text).replace(/%.*$/, '');
  const version = isIP(address);
  if (version === 4) return address;
  if (version !== 6) return undefined;
  const groups = groupsOf(address);
  // An IPv4 address, as a service sees it that listens on both.
  if (groups.slice(0, 6).join() === '0,0,0,0,0,ffff') {
    const [high = 0, low = 0] = groups.slice(6).map((group) => Number.parseInt(group, 16));
    return [high >> 8, high & 255, low >> 8, low & 255].join('.');
  }
  return groups.slice(0, 4).join(':');
}

/** The eight groups of an IPv6 address, without leading zeros. */
function groupsOf(address: string): string[] {
  // URL turns all spellings into one.
  const [head = '', tail] = new URL(`http://[${address}]`).hostname.slice(1, -1).split('::');
  const [before, after] = [head, tail ?? ''].map((part) => (part === '' ? [] : part.split(':'))) as [
    string[],
    string[],
  ];
  return [...before, ...Array<string>(8 - before.length - after.length).fill('0'), ...after];
}

/** Whether a host name or an IP address is a loopback one, which no other machine can reach. */
export function isLoopback(host: string): boolean {
  const address = host.replace(/^::ffff:/i, '');
  return host === 'localhost' || host === '::1' || (isIP(address) === 4 && address.startsWith('127.'));
}
