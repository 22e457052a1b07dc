/** A local part without quotes, comments, routes (`%`, `!`) and characters that split a header or a list. */
const LOCAL_PART = /^[a-z0-9#$&'*+/=?^_{}~-]+(\.[a-z0-9#$&'*+/=?^_{}~-]+)*$/;
const DOMAIN_LABEL = /^[a-z0-9]([a-z0-9-]*[a-z0-9])?$/;
const TOP_LEVEL = /^([a-z]{2,}|xn--[a-z0-9-]+)$/;

/**
 * Reads an e-mail address that a person typed. It accepts less than the standards allow: ASCII only, no quoted or
 * routed local part, and a domain with a dot that is no IP address.
 *
 * @returns The address in lower case without blanks around it. Mail goes to it, and it names the account, so two
 *   spellings are never two accounts. Dots and `+tags` are kept. Undefined if it is no address.
 * @example readEmailAddress(' Ann.Lee+odds@Example.ORG '); // 'ann.lee+odds@example.org'
 */
export function readEmailAddress(text: string): string | undefined {
  // Some characters beyond ASCII become ASCII in lower case, such as the Kelvin sign.
  if (text.length > 300 || !/^[\x20-\x7e]*$/.test(text)) return undefined;
  const address = text.trim().toLowerCase();
  const at = address.indexOf('@');
  const [local, domain] = [address.slice(0, Math.max(at, 0)), address.slice(at + 1)];
  const labels = domain.split('.');
  const isDomain = labels.length >= 2 && labels.every((label) => label.length <= 63 && DOMAIN_LABEL.test(label));
  const isAddress = LOCAL_PART.test(local) && local.length <= 64 && isDomain && TOP_LEVEL.test(labels.at(-1) ?? '');
  return isAddress && address.length <= 254 ? address : undefined;
}

/** A list of e-mail addresses and of whole domains. */
export class AddressList {
  readonly #entries: ReadonlySet<string>;

  /** @param entries Addresses as {@link readEmailAddress} gives them, and domains with the `@` before them. */
  constructor(entries: ReadonlySet<string>) {
    this.#entries = entries;
  }

  /**
   * Whether an address, as {@link readEmailAddress} gives it, or its very domain is listed; a domain above that one does
   * not count.
   */
  has(address: string): boolean {
    return this.#entries.has(address) || this.#entries.has(address.slice(address.lastIndexOf('@')));
  }
}

/**
 * Reads a list of addresses, and of domains written as `@example.org`, commas between.
 *
 * @returns Undefined if it is empty, or if one of them is neither.
 * @example readAddressList('@example.org, bob@example.com')?.has('ann@example.org'); // true
 */
export function readAddressList(text: string): AddressList | undefined {
  const entries = text.split(',').map((part) => {
    const entry = part.trim();
    // Sound in an address, but meant as any address, which a domain alone says.
    if (entry.startsWith('*')) return undefined;
    return entry.startsWith('@') ? readEmailAddress(`a${entry}`)?.slice(1) : readEmailAddress(entry);
  });
  const sound = entries.filter((entry) => entry !== undefined);
  return sound.length === entries.length ? new AddressList(new Set(sound)) : undefined;
}

/** Who may make an account: anybody, nobody, or who is listed. */
export type SignUp = 'open' | 'closed' | AddressList;

/** Reads who may make an account: `open`, `closed`, or a list as {@link readAddressList} takes it. */
export function readSignUp(text: string): SignUp | undefined {
  return text === 'open' || text === 'closed' ? text : readAddressList(text);
}
