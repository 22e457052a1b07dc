/** A local part without quotes, comments, routes (`%`, `!`) and characters that split a header or a list. */
const LOCAL = /^[a-z0-9#$&'*+/=?^_{}~-]+(\.[a-z0-9#$&'*+/=?^_{}~-]+)*$/;
const LABEL = /^[a-z0-9]([a-z0-9-]*[a-z0-9])?$/;
const TOP = /^([a-z]{2,}|xn--[a-z0-9-]+)$/;

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
  const isDomain = labels.length >= 2 && labels.every((label) => label.length <= 63 && LABEL.test(label));
  const isAddress = LOCAL.test(local) && local.length <= 64 && isDomain && TOP.test(labels.at(-1) ?? '');
  return isAddress && address.length <= 254 ? address : undefined;
}
