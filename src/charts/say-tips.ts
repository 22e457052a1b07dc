/** The part of Vega's scene that is read here: an item may have child items and a tip. */
interface SceneItem {
  readonly items?: readonly SceneItem[];
  readonly tooltip?: unknown;
  readonly marktype?: string;
  aria?: boolean;
  description?: string | undefined;
}

/**
 * Makes the description of each drawn mark its tip, instead of the names of its fields.
 *
 * @param most The most marks of a kind that get a description; if there are more, none does.
 */
export function sayTips(item: SceneItem, most: number): void {
  const { tooltip, items = [], marktype } = item;
  if (typeof tooltip === 'object' && tooltip !== null) {
    const lines = Object.entries(tooltip).map(([label, value]) => `${label}: ${String(value)}`);
    item.description = lines.join('; ');
  }
  const isSilent = marktype !== undefined && marktype !== 'group' && items.length > most && items.some(hasTip);
  if (isSilent) item.aria = false;
  for (const part of items) {
    sayTips(part, most);
    if (isSilent) part.description = undefined;
  }
}

function hasTip({ tooltip }: SceneItem): boolean {
  return typeof tooltip === 'object' && tooltip !== null;
}
