import { BlockList, isIP } from 'node:net';

/** IP addresses and ranges of them, such as those of an operator's proxies. */
export class IpRanges {
  readonly #list: BlockList;

  constructor(list: BlockList) {
    this.#list = list;
  }

  /** Whether an address is one of them; false for a text that is no address. */
  has(address: string): boolean {
    const version = isIP(address);
    return version !== 0 && this.#list.check(address, version === 6 ? 'ipv6' : 'ipv4');
  }
}

/**
 * Reads addresses and ranges, commas between. A range of public addresses that is shorter than /8, or /16 of IPv6, is
 * none: no proxies of one operator fill it, and two halves of all addresses would be as much as all.
 *
 * @returns Undefined if there is none, or if one of them is neither an address nor such a range.
 * @example readIpRanges('127.0.0.1, 10.0.0.0/8, fd00::/8')?.has('10.1.2.3'); // true
 */
export function readIpRanges(text: string): IpRanges | undefined {
  const list = new BlockList();
  for (const part of text.split(',')) {
    const [, address = '', length] = /^([^/%]+)(?:\/(\d{1,3}))?$/.exec(part.trim()) ?? [];
    const version = isIP(address);
    const bits = version === 6 ? 128 : 32;
    const prefix = length === undefined ? bits : Number(length);
    if (version === 0 || prefix < leastPrefix(address, version) || prefix > bits) return undefined;
    list.addSubnet(address, prefix, version === 6 ? 'ipv6' : 'ipv4');
  }
  return new IpRanges(list);
}

/** The shortest prefix of a range that begins with an address. */
function leastPrefix(address: string, version: number): number {
  if (version === 4) return 8;
  // URL turns all spellings into one.
  const usual = new URL(`http://[${address}]`).hostname.slice(1, -1);
  // Unique local and link-local addresses, which nobody beyond a network has.
  if (/^f[cd]/.test(usual)) return 7;
  if (/^fe[89ab]/.test(usual)) return 10;
  // All IPv4 addresses are there, too, as ::ffff:0:0/96.
  return usual.startsWith('::') ? 96 + 8 : 16;
}
