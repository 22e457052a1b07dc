/** The part of Vega's scene that is read here: an item has items of its own, and may have a tip. */
interface SceneItem {
  readonly items?: readonly SceneItem[];
  readonly tooltip?: unknown;
  description?: string;
}

/** Lets what is drawn describe itself by its tip, rather than by the names of the fields behind it. */
export function sayTips(item: SceneItem): void {
  const { tooltip } = item;
  if (typeof tooltip === 'object' && tooltip !== null) {
    const lines = Object.entries(tooltip).map(([label, value]) => `${label}: ${String(value)}`);
    item.description = lines.join('; ');
  }
  for (const part of item.items ?? []) sayTips(part);
}
