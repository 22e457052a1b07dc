/** Without quotes, comments, routes (`%`, `!`) and what a header or a list could be split at. */
const LOCAL = /^[a-z0-9#$&'*+/=?^_{}~-]+(\.[a-z0-9#$&'*+/=?^_{}~-]+)*$/;
const LABEL = /^[a-z0-9]([a-z0-9-]*[a-z0-9])?$/;
const TOP = /^([a-z]{2,}|xn--[a-z0-9-]+)$/;

/**
 * Reads an e-mail address that a person typed, and takes fewer than the standards allow: ASCII, no quoted or routed
 * local part, a domain with a dot that is no IP address.
 *
 * @returns The address in lower case without blanks around it: the one that mail goes to and that names the account, so
 * that two spellings are never two mailboxes. Dots and `+tags` are kept. Undefined where it is none.
 * @example readEmailAddress(' Ann.Lee+odds@Example.ORG '); // 'ann.lee+odds@example.org'
 */
export function readEmailAddress(text: string): string | undefined {
  // A character beyond ASCII may turn into an ASCII one in lower case, as the Kelvin sign does.
  if (text.length > 300 || !/^[\x20-\x7e]*$/.test(text)) return undefined;
  const address = text.trim().toLowerCase();
  const at = address.indexOf('@');
  const [local, domain] = [address.slice(0, Math.max(at, 0)), address.slice(at + 1)];
  const labels = domain.split('.');
  const isDomain = labels.length >= 2 && labels.every((label) => label.length <= 63 && LABEL.test(label));
  const isAddress = LOCAL.test(local) && local.length <= 64 && isDomain && TOP.test(labels.at(-1) ?? '');
  return isAddress && address.length <= 254 ? address : undefined;
}
