import { InputError } from '../../errors.js';

/** The fields of a request's content, each checked as it is read. */
export class ContentFields {
  readonly #fields: Readonly<Record<string, unknown>>;

  constructor(fields: Readonly<Record<string, unknown>>) {
    this.#fields = fields;
  }

  /**
   * A field of text.
   *
   * @param fallback Taken where it is missing or null; without one it must be there.
   * @throws {InputError} If it is no text.
   */
  text(name: string, fallback?: string): string {
    const value = this.#fields[name] ?? fallback;
    if (typeof value === 'string') return value;
    throw new InputError(`The field "${name}" of the request must be a text.`);
  }

  /** A field of true or false; `fallback` where it is neither. */
  flag(name: string, fallback: boolean): boolean {
    const value = this.#fields[name];
    return typeof value === 'boolean' ? value : fallback;
  }

  /** A field of a whole number; undefined where it is none. */
  integer(name: string): number | undefined {
    const value = this.#fields[name];
    return typeof value === 'number' && Number.isFinite(value) ? Math.trunc(value) : undefined;
  }

  /** A field of an object; empty where it is none. */
  object(name: string): Record<string, unknown> {
    const value = this.#fields[name];
    const isObject = typeof value === 'object' && value !== null && !Array.isArray(value);
    return isObject ? (value as Record<string, unknown>) : {};
  }

  /** A field as it is. */
  value(name: string): unknown {
    return this.#fields[name];
  }
}
