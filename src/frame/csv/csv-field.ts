import { fieldKind } from './csv-kind.js';
import type { CsvOptions } from './csv-options.js';

const FORMULA = /^[=+\-@\t\r\n]/;

/** How text becomes a field. */
export interface TextField {
  write(text: string): string;
  /** The characters with which a text may begin that becomes another field than its characters alone would ask for. */
  readonly special: string;
}

/** How text and the names of columns become fields under the given options. */
export function textFields(form: Required<CsvOptions>): { text: TextField; name: (name: string) => string } {
  const needsQuotes = new RegExp(`["\\r\\n${form.delimiter === '|' ? '\\|' : form.delimiter}]`);
  const guarded = (text: string) => (form.formulas === 'guard' && FORMULA.test(text) ? `'${text}` : text);
  const fieldOf = (text: string, always: boolean) =>
    always || text === '' || needsQuotes.test(text) ? quoted(text) : text;
  return {
    text: {
      write: (text) => {
        const safe = guarded(text);
        return fieldOf(safe, form.quoting !== 'minimal' || safe === form.nullText || fieldKind(safe) !== 'text');
      },
      special: `=+-@\ttTfFI${form.nullText.slice(0, 1)}`,
    },
    name: (name) => fieldOf(guarded(name), form.quoting === 'all'),
  };
}

/** Text in quotes, with the quotes in it doubled. */
export function quoted(text: string): string {
  return `"${text.includes('"') ? text.replaceAll('"', '""') : text}"`;
}
