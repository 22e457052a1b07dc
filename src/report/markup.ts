import { escapeHtml } from '../base/texts.js';
import { idParts } from '../frame/display/cell-formatter.js';

/** Markup that is safe to show: {@link html} makes it, or code that escapes all it puts in. */
export class Markup {
  readonly text: string;

  constructor(text: string) {
    this.text = text;
  }
}

/** What a template may hold: text, which is escaped, other markup, lists of these, or nothing (false, undefined). */
export type Content = Markup | string | number | false | undefined | readonly Content[];

/**
 * Makes markup from a template. Every value is escaped for an element's content and for a quoted attribute, the only
 * two places where a value may stand.
 *
 * @example html`<p title="${'"'}">${'<b>'}</p>`.text; // '<p title="&quot;">&lt;b&gt;</p>'
 */
export function html(strings: TemplateStringsArray, ...values: Content[]): Markup {
  return new Markup(strings.map((part, at) => part + (at < values.length ? textOf(values[at]) : '')).join(''));
}

function textOf(value: Content): string {
  if (value instanceof Markup) return value.text;
  if (Array.isArray(value)) return value.map(textOf).join('');
  return value === undefined || value === false ? '' : escapeHtml(readable(String(value)));
}

/** Text without the invisible characters that change the reading direction of what follows, and without controls. */
function readable(text: string): string {
  return text.replaceAll(/[\p{Bidi_Control}]+/gu, '').replaceAll(/[\p{Cc}\p{Cs}]+/gu, ' ');
}

/** A long id that shows its first and last digits alone, and is copied in full. */
export function idMarkup(id: string): Markup {
  const parts = idParts(id);
  return parts ? html`<code class="ts-id">${parts[0]}<i>${parts[1]}</i>${parts[2]}</code>` : html`<code>${id}</code>`;
}

/** A column of a {@link table}: its heading, and the cell of each row. */
export interface TableColumn<Row> {
  readonly head: string;
  readonly cell: (row: Row) => Content;
  /** Numbers stand at the right. Default: text, at the left. */
  readonly isNumber?: boolean;
}

/** The most columns of a table that fits a phone; of more, each row is a block there, with its headings in it. */
const MOST_ON_PHONE = 3;

/** A table in a group that scrolls by itself where it is too wide; the first cell of each row is its heading. */
export function table<Row>(caption: string, rows: readonly Row[], columns: readonly TableColumn<Row>[]): Markup {
  const right = (column: TableColumn<Row>) => column.isNumber && html` class="ts-number"`;
  const isBlocks = columns.length > MOST_ON_PHONE;
  // What is laid out as blocks would be no table to a screen reader.
  const role = (name: string) => isBlocks && html` role="${name}"`;
  const head = (column: TableColumn<Row>) => isBlocks && html` data-head="${column.head}"`;
  return html`<div class="ts-scroll" tabindex="0" role="group" aria-label="${caption}"><table${isBlocks && html` class="ts-blocks" role="table"`}><caption>${caption}</caption>
<thead${role('rowgroup')}><tr${role('row')}>${columns.map((column) => html`<th scope="col"${role('columnheader')}${right(column)}>${column.head}</th>`)}</tr></thead>
<tbody${role('rowgroup')}>${rows.map(
    (row) => html`<tr${role('row')}>${columns.map((column, at) =>
      at === 0
        ? html`<th scope="row"${role('rowheader')}${right(column)}>${column.cell(row)}</th>`
        : html`<td${role('cell')}${head(column)}${right(column)}>${column.cell(row)}</td>`,
    )}</tr>
`,
  )}</tbody></table></div>`;
}
