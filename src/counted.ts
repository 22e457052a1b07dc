/**
 * A number and what it counts.
 *
 * @param many The plural. Default: the singular with an s.
 * @example counted(1200, 'market'); // '1,200 markets'
 */
export function counted(value: number, one: string, many = `${one}s`): string {
  return `${value.toLocaleString('en-US')} ${value === 1 ? one : many}`;
}
