/** A small RFC 4180 reader for the tests: null for an empty field without quotes, text for any other. */
export function parseCsv(text: string): (string | null)[][] {
  const rows: (string | null)[][] = [];
  let at = 0;
  while (at < text.length) {
    const row: (string | null)[] = [];
    for (let more = true; more; ) {
      let field: string | null = null;
      if (text[at] === '"') {
        field = '';
        for (at += 1; text[at] !== '"' || text[at + 1] === '"'; at += 1) {
          if (at >= text.length) throw new Error('A quoted field has no end.');
          if (text[at] === '"') at += 1;
          field += text[at];
        }
        at += 1;
      } else {
        const start = at;
        while (at < text.length && text[at] !== ',' && text[at] !== '\n') at += 1;
        if (at > start) field = text.slice(start, at);
      }
      row.push(field);
      more = text[at] === ',';
      at += 1;
    }
    rows.push(row);
  }
  return rows;
}
