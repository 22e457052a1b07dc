/**
 * The id of a market as it is sent: in lower case, but `ALL` for all of them.
 *
 * @example conditionText('0xAB…'); // '0xab…'
 */
export function conditionText(id: string): string {
  const text = id.trim().toLowerCase();
  return text === 'all' ? 'ALL' : text;
}
