// What `Math.min(...numbers)` and `list.push(...items)` do, for any number of them: a call puts each of its arguments on
// the stack, which some hundred thousand overflow. A test holds that `src` has no such call.

/**
 * The least and the greatest of numbers.
 *
 * @returns Infinity and −Infinity of none; NaN twice if one of them is NaN.
 * @example extentOf([3, 1, 2]); // [1, 3]
 */
export function extentOf(numbers: Iterable<number>): [least: number, greatest: number] {
  let [least, greatest] = [Number.POSITIVE_INFINITY, Number.NEGATIVE_INFINITY];
  for (const number of numbers) [least, greatest] = [Math.min(least, number), Math.max(greatest, number)];
  return [least, greatest];
}

/** The least of numbers: Infinity of none, NaN if one of them is NaN. */
export function leastOf(numbers: Iterable<number>): number {
  return extentOf(numbers)[0];
}

/** The greatest of numbers: −Infinity of none, NaN if one of them is NaN. */
export function greatestOf(numbers: Iterable<number>): number {
  return extentOf(numbers)[1];
}

/** Puts items at the end of a list. */
export function appendAll<Item>(list: Item[], items: Iterable<Item>): void {
  for (const item of items) list.push(item);
}
