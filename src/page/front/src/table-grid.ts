import type { TableOrder, TableRow, TableRows } from './table-rows.js';

/** Height of a row and of the header, in pixels; style.css has the same. */
const ROW = 24;
/** Rows drawn above and below those in sight. */
const BEYOND = 4;
/** The greatest height that the scrolled content gets: browsers draw nothing beyond some 17 million pixels. */
const TALLEST = 8_000_000;
/** The least and greatest width of a column, in characters. */
const [NARROWEST, WIDEST] = [5, 40];
/** The most rows that are copied at once. */
const MOST_COPIED = 5000;

const NUMERIC = /^(float|int|number|bigint)/;

/** A cell by its row and column, from 0; row -1 is the header. */
interface Place {
  row: number;
  column: number;
}

/** What a {@link TableGrid} is told. */
interface GridOptions {
  label: string;
  onSort: (sort: TableOrder['sort']) => void;
}

/** Draws the rows in sight, and no others, as an ARIA grid; the keyboard moves from cell to cell. */
export class TableGrid {
  /** What scrolls. */
  readonly node = document.createElement('div');
  readonly #rows: TableRows;
  readonly #options: GridOptions;
  readonly #head = document.createElement('div');
  readonly #body = document.createElement('div');
  #active: Place = { row: 0, column: 0 };
  /** The other corner of what is selected. */
  #anchor: Place = { row: 0, column: 0 };
  /** In characters, and the columns that they are of. */
  #widths: number[] = [];
  #widthsOf = '';
  #isMeasured = false;

  constructor(rows: TableRows, options: GridOptions) {
    this.#rows = rows;
    this.#options = options;
    this.node.className = 'oddslab-table-grid';
    this.node.setAttribute('role', 'grid');
    this.node.setAttribute('aria-label', options.label);
    this.node.setAttribute('aria-multiselectable', 'true');
    this.#head.setAttribute('role', 'rowgroup');
    this.#head.className = 'oddslab-table-head';
    this.#body.setAttribute('role', 'rowgroup');
    this.#body.className = 'oddslab-table-body';
    this.node.append(this.#head, this.#body);
    this.node.addEventListener('scroll', () => this.draw());
    this.node.addEventListener('keydown', (event) => this.#onKey(event));
    this.node.addEventListener('mousedown', (event) => this.#onPress(event));
    this.node.addEventListener('copy', (event) => this.#onCopy(event));
  }

  /** The first row in sight. */
  get firstRow(): number {
    const { scrollTop, clientHeight } = this.node;
    const hidden = this.#height - clientHeight;
    // Where the content is taller than a browser draws, the scroll bar stands for a part of it.
    const part = hidden > 0 ? Math.min(1, scrollTop / hidden) : 0;
    const most = this.#rows.matched * ROW + ROW - clientHeight;
    return this.#isScaled ? Math.floor((part * most) / ROW) : Math.floor(scrollTop / ROW);
  }

  toTop(): void {
    this.node.scrollTop = 0;
  }

  focus(): void {
    const cell = this.node.querySelector<HTMLElement>('[tabindex="0"]');
    (cell ?? this.node).focus({ preventScroll: true });
  }

  /** Draws anew what is in sight. */
  draw(): void {
    const { columns, matched } = this.#rows;
    const hadFocus = this.node.contains(document.activeElement);
    this.node.setAttribute('aria-rowcount', String(matched + 1));
    this.node.setAttribute('aria-colcount', String(columns.length + 1));
    this.node.setAttribute('aria-busy', String(!this.#rows.isKnown || this.#rows.isStale));
    this.#active = this.#within(this.#active);
    this.#anchor = this.#within(this.#anchor);
    const first = Math.max(0, this.firstRow - BEYOND);
    const last = Math.min(matched, this.firstRow + Math.ceil(this.node.clientHeight / ROW) + BEYOND);
    const numbers = Array.from({ length: Math.max(0, last - first) }, (_, at) => first + at);
    const rows = numbers.map((row) => this.#rows.at(row));
    this.#measure(rows);
    this.#head.replaceChildren(...(columns.length > 0 ? [this.#headRow()] : []));
    this.#body.style.height = `${this.#height - ROW}px`;
    const top = this.#isScaled ? this.node.scrollTop - (this.firstRow - first) * ROW : first * ROW;
    this.#body.replaceChildren(...rows.map((row, at) => this.#bodyRow(first + at, row, top + at * ROW)));
    // Without a cell in sight that takes the focus, the keyboard would have no way in.
    this.node.tabIndex = this.node.querySelector('[tabindex="0"]') ? -1 : 0;
    if (hadFocus) this.focus();
  }

  get #isScaled(): boolean {
    return (this.#rows.matched + 1) * ROW > TALLEST;
  }

  get #height(): number {
    return Math.min(TALLEST, (this.#rows.matched + 1) * ROW);
  }

  #within({ row, column }: Place): Place {
    const { matched, columns } = this.#rows;
    return {
      row: Math.max(-1, matched === 0 ? row : Math.min(row, matched - 1)),
      column: Math.max(0, Math.min(column, columns.length - 1)),
    };
  }

  /** Columns are as wide as their names and first values need; they stay so while one scrolls. */
  #measure(rows: readonly (TableRow | undefined)[]): void {
    const { columns, total } = this.#rows;
    const of = JSON.stringify(columns);
    if (of !== this.#widthsOf) this.#isMeasured = false;
    if (!this.#isMeasured) {
      this.#widths = columns.map(({ name, type }, at) => {
        const longest = Math.max(name.length + type.length + 3, ...rows.map((row) => row?.cells[at]?.length ?? 0));
        return Math.min(WIDEST, Math.max(NARROWEST, longest)) + 2.5;
      });
    }
    this.#widthsOf = of;
    this.#isMeasured ||= rows.some((row) => row);
    const widths = [String(total).length + 3, ...this.#widths];
    this.node.style.setProperty('--oddslab-columns', widths.map((width) => `${width}ch`).join(' '));
  }

  #headRow(): HTMLElement {
    const row = rowElement(1);
    row.append(cellElement('columnheader', 1, '#'));
    const { sort } = this.#rows.order;
    for (const [at, { name, type }] of this.#rows.columns.entries()) {
      const cell = cellElement('columnheader', at + 2, '');
      const isSorted = sort?.column === name;
      cell.setAttribute('aria-sort', isSorted ? (sort.descending ? 'descending' : 'ascending') : 'none');
      cell.title = `${name}\n${type}\nSort by it (Enter)`;
      cell.classList.toggle('oddslab-number', NUMERIC.test(type));
      const label = document.createElement('span');
      label.textContent = name;
      const kind = document.createElement('small');
      kind.textContent = type;
      cell.append(label, kind);
      this.#place(cell, { row: -1, column: at });
      row.append(cell);
    }
    return row;
  }

  #bodyRow(at: number, row: TableRow | undefined, top: number): HTMLElement {
    const element = rowElement(at + 2);
    element.style.transform = `translateY(${top}px)`;
    element.append(cellElement('rowheader', 1, row ? row.position.toLocaleString('en-US') : ''));
    for (const [column, { type }] of this.#rows.columns.entries()) {
      const text = row?.cells[column] ?? (row ? '' : '…');
      const cell = cellElement('gridcell', column + 2, text);
      cell.classList.toggle('oddslab-number', NUMERIC.test(type));
      const whole = row?.whole[column] ?? text;
      if (whole !== text || text.length > WIDEST) cell.title = whole;
      this.#place(cell, { row: at, column });
      element.append(cell);
    }
    return element;
  }

  #place(cell: HTMLElement, { row, column }: Place): void {
    cell.dataset.row = String(row);
    cell.dataset.column = String(column);
    cell.tabIndex = row === this.#active.row && column === this.#active.column ? 0 : -1;
    if (row < 0) return;
    const [rows, columns] = [span(this.#anchor.row, this.#active.row), span(this.#anchor.column, this.#active.column)];
    const isSelected = row >= rows.from && row <= rows.to && column >= columns.from && column <= columns.to;
    cell.setAttribute('aria-selected', String(isSelected));
  }

  #onKey(event: KeyboardEvent): void {
    const { row, column } = this.#active;
    const page = Math.max(1, Math.floor(this.node.clientHeight / ROW) - 2);
    const isAll = event.ctrlKey || event.metaKey;
    const to: Record<string, Place> = {
      ArrowUp: { row: row - 1, column },
      ArrowDown: { row: row + 1, column },
      ArrowLeft: { row, column: column - 1 },
      ArrowRight: { row, column: column + 1 },
      PageUp: { row: Math.max(0, row - page), column },
      PageDown: { row: row + page, column },
      Home: { row: isAll ? 0 : row, column: 0 },
      End: { row: isAll ? this.#rows.matched - 1 : row, column: this.#rows.columns.length - 1 },
    };
    const place = to[event.key];
    if (place) this.#go(place, event.shiftKey);
    else if ((event.key === 'Enter' || event.key === ' ') && row === -1) this.#sort(column);
    else if (event.key === 'a' && isAll) {
      this.#anchor = { row: 0, column: 0 };
      this.#active = this.#within({ row: this.#rows.matched - 1, column: this.#rows.columns.length - 1 });
      this.draw();
    } else return;
    event.preventDefault();
    event.stopPropagation();
  }

  #onPress(event: MouseEvent): void {
    const cell = (event.target as Element).closest<HTMLElement>('[data-row]');
    if (!cell || event.button !== 0) return;
    event.preventDefault();
    const place = { row: Number(cell.dataset.row), column: Number(cell.dataset.column) };
    this.#go(place, event.shiftKey && place.row >= 0);
    if (place.row === -1) this.#sort(place.column);
  }

  /** Goes to a cell, and selects it alone, or all from the anchor to it. */
  #go(place: Place, isExtended: boolean): void {
    this.#active = this.#within(place);
    if (!isExtended) this.#anchor = this.#active;
    this.#reveal(this.#active.row);
    this.draw();
    this.focus();
    this.node.querySelector('[tabindex="0"]')?.scrollIntoView({ block: 'nearest', inline: 'nearest' });
  }

  #reveal(row: number): void {
    if (row < 0) return;
    const seen = Math.max(1, Math.floor(this.node.clientHeight / ROW) - 1);
    const first = this.firstRow;
    const wanted = row < first ? row : row >= first + seen ? row - seen + 1 : first;
    if (wanted === first) return;
    const most = (this.#rows.matched + 1) * ROW - this.node.clientHeight;
    this.node.scrollTop = this.#isScaled
      ? ((wanted * ROW) / most) * (this.#height - this.node.clientHeight)
      : wanted * ROW;
  }

  /** By a column, upwards, downwards, and then as the rows come. */
  #sort(column: number): void {
    const name = this.#rows.columns[column]?.name;
    if (name === undefined) return;
    const { sort } = this.#rows.order;
    const isSorted = sort?.column === name;
    this.#options.onSort(isSorted && sort.descending ? undefined : { column: name, descending: isSorted });
    this.draw();
  }

  /** Copies what is selected: whole values, not as they are shown, with tabs between them, a line a row. */
  #onCopy(event: ClipboardEvent): void {
    const [rows, columns] = [span(this.#anchor.row, this.#active.row), span(this.#anchor.column, this.#active.column)];
    const lines: string[] = [];
    for (let row = rows.from; row <= Math.min(rows.to, rows.from + MOST_COPIED - 1); row += 1) {
      const cells = row < 0 ? this.#rows.columns.map(({ name }) => name) : this.#rows.at(row)?.whole;
      if (cells) lines.push(cells.slice(columns.from, columns.to + 1).join('\t'));
    }
    event.clipboardData?.setData('text/plain', lines.join('\n'));
    event.preventDefault();
    event.stopPropagation();
  }
}

function span(one: number, other: number): { from: number; to: number } {
  return { from: Math.min(one, other), to: Math.max(one, other) };
}

function rowElement(index: number): HTMLElement {
  const row = document.createElement('div');
  row.setAttribute('role', 'row');
  row.setAttribute('aria-rowindex', String(index));
  row.className = 'oddslab-table-row';
  return row;
}

function cellElement(role: string, index: number, text: string): HTMLElement {
  const cell = document.createElement('div');
  cell.setAttribute('role', role);
  cell.setAttribute('aria-colindex', String(index));
  cell.textContent = text;
  return cell;
}
