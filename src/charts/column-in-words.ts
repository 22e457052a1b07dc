/**
 * A chart's word for the values of a column.
 *
 * @example columnInWords('proxy_wallet'); // 'wallet'
 */
export function columnInWords(name: string): string {
  if (name === 'proxy_wallet') return 'wallet';
  return name === 'event_slug' ? 'event' : name;
}
