/** Text as a literal of ClickHouse's SQL, in which nothing that it holds ends it or means anything. */
export function literal(text: string): string {
  return `'${text.replace(/[\\']/g, '\\$&').replaceAll('\0', '\\0')}'`;
}
