/** SQL that doubles a byte order mark at the beginning of a text, since DuckDB's driver drops the first one. */
export function wholeText(text: string): string {
  return `CASE WHEN starts_with(${text}, chr(65279)) THEN chr(65279) || ${text} ELSE ${text} END`;
}
