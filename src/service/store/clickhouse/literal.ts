/** Text as a literal of ClickHouse's SQL, escaped so that nothing in it ends the literal or has a special meaning. */
export function literal(text: string): string {
  return `'${text.replace(/[\\']/g, '\\$&').replaceAll('\0', '\\0')}'`;
}
