import { isIP } from 'node:net';
import { readIpRanges } from '../../base/ip-ranges.js';
import type { Settings } from '../settings/settings.js';

/** How the service learns the address under which it was called. */
interface AddressOptions {
  /** The address that the operator has set; it overrides all others. */
  baseUrl: string | undefined;
  /** Whether a trusted proxy has sent the request: then the last values of its X-Forwarded-Host and -Proto count. */
  isProxy: boolean;
  /** The address that the service listens on, for a request that names none. */
  own: () => string;
}

/**
 * The address under which the sender of a request reaches the service, such as `http://odds.lan:8787`, to be shown to
 * them. A malformed host is ignored, since anybody can send anything.
 */
export function addressOf(headers: Headers, { baseUrl, isProxy, own }: AddressOptions): string {
  if (baseUrl !== undefined) return baseUrl.replace(/\/+$/, '');
  const forwarded = (name: string) => (isProxy ? headers.get(name)?.split(',').at(-1)?.trim() : undefined);
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

/** Tells who asks, and whether a proxy may speak for them. */
export interface ClientReader {
  /**
   * The address of a request's client: that of its connection or, if this is a trusted proxy's, what the proxies say.
   *
   * @param remote The address of the connection.
   * @param forwarded The `X-Forwarded-For` header.
   * @returns An address without port and zone; undefined if the connection has none.
   */
  addressOf(remote: string | undefined, forwarded: string | undefined): string | undefined;
  /** Whether a connection comes from a trusted proxy. */
  isProxy(remote: string | undefined): boolean;
}

/**
 * Makes a reader of clients' addresses. A header alone is never believed: each proxy vouches for the address that it
 * puts last, and only a proxy from a trusted range is asked. So the header is read from its end, up to the first address
 * that is not a trusted proxy's; whatever stands before it may be forged.
 *
 * @param trusted Addresses and ranges of the proxies, as {@link readIpRanges} takes them; undefined trusts none.
 * @example clientReader('10.0.0.0/8').addressOf('10.0.0.1', '1.1.1.1, 9.9.9.7, 10.0.0.2'); // '9.9.9.7'
 */
export function clientReader(trusted: string | undefined): ClientReader {
  const proxies = trusted === undefined ? undefined : readIpRanges(trusted);
  const isProxy = (address: string | undefined) => address !== undefined && proxies?.has(address) === true;
  return {
    isProxy: (remote) => isProxy(readAddress(remote ?? '')),
    addressOf(remote, forwarded) {
      let client = readAddress(remote ?? '');
      const hops = forwarded === undefined || !isProxy(client) ? [] : forwarded.split(',');
      while (isProxy(client) && hops.length > 0) {
        const before = readAddress(hops.pop()?.trim() ?? '');
        // What is no address vouches for nothing: the proxy that wrote it counts.
        if (before === undefined) break;
        client = before;
      }
      return client;
    },
  };
}

/** An IPv4 address as a service sees it that listens on both. */
const MAPPED = /^::ffff:([\d.]+)$/i;

/**
 * Reads an address in any spelling: in brackets, with a zone, with a port (as some proxies write it), or an IPv4 address
 * as IPv6.
 *
 * @returns The address in its usual spelling; undefined if it is none.
 * @example readAddress('[2001:DB8::1]:4711'); // '2001:db8::1'
 */
function readAddress(text: string): string | undefined {
  // Nearly every address of a connection.
  if (isIP(text) === 4) return text;
  const [, bracketed, ported] = /^\[(.*)\](?::\d+)?$|^([\d.]+):\d+$/.exec(text) ?? [];
  const address = (bracketed ?? ported ?? text).replace(/%.*$/, '');
  const mapped = MAPPED.exec(address)?.[1];
  if (mapped !== undefined && isIP(mapped) === 4) return mapped;
  if (isIP(address) !== 6) return isIP(address) === 4 ? address : undefined;
  // URL turns all spellings into one.
  const usual = new URL(`http://[${address}]`).hostname.slice(1, -1);
  const [, high, low] = /^::ffff:([\da-f]+):([\da-f]+)$/.exec(usual) ?? [];
  if (high === undefined || low === undefined) return usual;
  const bytes = [high, low].map((group) => Number.parseInt(group, 16)).flatMap((word) => [word >> 8, word & 255]);
  return bytes.join('.');
}

/**
 * The name under which a client is counted: an IPv4 address itself, or the 64-bit network of an IPv6 address.
 *
 * @param text An address in any spelling.
 * @returns Undefined if it is no address.
 * @example clientNetwork('9.9.9.7:1000'); // '9.9.9.7'
 * @example clientNetwork('2001:db8::7:1:2:3'); // '2001:db8:0:0'
 */
export function clientNetwork(text: string): string | undefined {
  const address = readAddress(text);
  if (address === undefined || isIP(address) === 4) return address;
  const [head = '', tail] = address.split('::');
  const groupsOf = (part = '') => (part === '' ? [] : part.split(':'));
  const [before, after] = [groupsOf(head), groupsOf(tail)];
  const zeros = Array<string>(8 - before.length - after.length).fill('0');
  return [...before, ...zeros, ...after].slice(0, 4).join(':');
}

/** Whether a host name or an IP address is a loopback one, which no other machine can reach. */
export function isLoopback(host: string): boolean {
  const address = host.replace(/^::ffff:/i, '');
  return host === 'localhost' || host === '::1' || (isIP(address) === 4 && address.startsWith('127.'));
}
