/**
 * The id of a market in the form that is sent: lower case, or `ALL` for all markets.
 *
 * @example conditionText('0xAB…'); // '0xab…'
 */
export function conditionText(id: string): string {
  const text = id.trim().toLowerCase();
  return text === 'all' ? 'ALL' : text;
}
