/**
 * The item of a list at an index that must be in it. A wrong index fails, instead of becoming a plausible value.
 *
 * @throws {RangeError} If there is no such item.
 * @example itemAt([10, 20], 1); // 20
 */
export function itemAt<Item>(list: { readonly length: number; readonly [index: number]: Item }, index: number): Item {
  const item = list[index];
  if (item === undefined) throw new RangeError(`There is no item ${index} in a list of ${list.length}`);
  return item;
}
