/** Two names that SQL does not tell apart, because they differ only by case; undefined if there are none. */
export function namesAlike(names: readonly string[]): readonly [string, string] | undefined {
  const seen = new Map<string, string>();
  for (const name of names) {
    const other = seen.get(name.toLowerCase());
    if (other !== undefined) return [other, name];
    seen.set(name.toLowerCase(), name);
  }
  return undefined;
}
