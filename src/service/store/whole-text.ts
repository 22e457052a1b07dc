/** SQL for a text with a byte order mark before one that it begins with: DuckDB's driver takes the first one away. */
export function wholeText(text: string): string {
  return `CASE WHEN starts_with(${text}, chr(65279)) THEN chr(65279) || ${text} ELSE ${text} END`;
}
