import { isIP } from 'node:net';

/** Groups of an IPv6 address that name a network; one client may have all addresses in it. */
const NETWORK_GROUPS = 4;

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
  return version === 6 ? networkOf(groupsOf(address)) : undefined;
}

function networkOf(groups: readonly string[]): string {
  // An IPv4 address, as a service sees it that listens on both.
  if (groups.slice(0, 6).join() === '0,0,0,0,0,ffff') {
    return groups
      .slice(6)
      .flatMap((group) => [Number.parseInt(group, 16) >> 8, Number.parseInt(group, 16) & 255])
      .join('.');
  }
  return groups.slice(0, NETWORK_GROUPS).join(':');
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
