/** Link made of a `{@link name}`: it leads to a place in a file, which a notebook cannot open. */
const FILE_LINK = /\[([^\]]*)\]\(file:[^)]*\)/g;

/** @example withoutFileLinks('See [trade](file:///notes/cell.mts#2,5-2,10).') // 'See trade.' */
export function withoutFileLinks(markdown: string): string {
  return markdown.replace(FILE_LINK, '$1');
}
