import { InputError } from '../../base/errors.js';

/** The fields of a request's content, each checked as it is read. */
export class ContentFields {
  readonly #fields: Readonly<Record<string, unknown>>;

  constructor(fields: Readonly<Record<string, unknown>>) {
    this.#fields = fields;
  }

  /**
   * Reads a text field.
   *
   * @param fallback Used if the field is missing or null; without it, the field is required.
   * @throws {InputError} If it is not a text.
   */
  text(name: string, fallback?: string): string {
    const value = this.#fields[name] ?? fallback;
    if (typeof value === 'string') return value;
    throw new InputError(`The field "${name}" of the request must be a text.`);
  }

  /** Reads a boolean field; `fallback` if it is not a boolean. */
  flag(name: string, fallback: boolean): boolean {
    const value = this.#fields[name];
    return typeof value === 'boolean' ? value : fallback;
  }

  /** Reads a number field without its fraction; undefined if it is not a finite number. */
  integer(name: string): number | undefined {
    const value = this.#fields[name];
    return typeof value === 'number' && Number.isFinite(value) ? Math.trunc(value) : undefined;
  }

  /** Reads an object field; empty if it is not an object. */
  object(name: string): Record<string, unknown> {
    const value = this.#fields[name];
    const isObject = typeof value === 'object' && value !== null && !Array.isArray(value);
    return isObject ? (value as Record<string, unknown>) : {};
  }

  /** Reads a field unchecked. */
  value(name: string): unknown {
    return this.#fields[name];
  }
}
