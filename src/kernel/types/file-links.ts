/** A `{@link name}` leads to a place in a file, where a notebook cannot go. */
const FILE_LINK = /\[([^\]]*)\]\(file:[^)]*\)/g;

/** @example withoutFileLinks('See [trade](file:///notes/cell.mts#2,5-2,10).') // 'See trade.' */
export function withoutFileLinks(markdown: string): string {
  return markdown.replace(FILE_LINK, '$1');
}
