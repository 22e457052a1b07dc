import { fieldKind } from './csv-kind.js';
import type { CsvOptions } from './csv-options.js';

const FORMULA = /^[=+\-@\t\r\n]/;

/** How text becomes a field. */
export interface TextField {
  write(text: string): string;
  /** First characters of texts that may need quotes or a guard for more than the characters that they hold. */
  readonly special: string;
}

/** The functions that turn texts and column names into fields under the given options. */
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

/** Puts a text in quotes and doubles the quotes in it. */
export function quoted(text: string): string {
  return `"${text.includes('"') ? text.replaceAll('"', '""') : text}"`;
}
