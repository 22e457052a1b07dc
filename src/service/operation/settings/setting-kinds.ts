/** How a setting's value is read, and how messages describe a valid one. */
export interface SettingKind<Value> {
  /** What stands for the value in the help and the documentation; undefined for a switch, which takes none. */
  readonly placeholder: string | undefined;
  /** A valid value in words, as the end of "must be …". */
  readonly right: string;
  /** Reads the text of a flag or a variable; undefined if it is not valid. */
  readonly fromText: (text: string) => Value | undefined;
  /** Reads a value of the file; undefined if it is not valid. */
  readonly fromJson: (value: unknown) => Value | undefined;
}

/** A whole number within bounds. */
export function whole(least: number, most: number, placeholder = 'n'): SettingKind<number> {
  const fromJson = (value: unknown) =>
    typeof value === 'number' && Number.isInteger(value) && value >= least && value <= most ? value : undefined;
  return {
    placeholder,
    right: `a whole number from ${least} to ${most}`,
    fromJson,
    fromText: (text) => (/^\d{1,15}$/.test(text) ? fromJson(Number(text)) : undefined),
  };
}

/** A time in seconds within bounds; may be a fraction. */
export function seconds(least: number, most: number): SettingKind<number> {
  const fromJson = (value: unknown) =>
    typeof value === 'number' && value >= least && value <= most ? value : undefined;
  return {
    placeholder: 'seconds',
    right: `a number of seconds from ${least} to ${most}`,
    fromJson,
    fromText: (text) => (/^\d{1,9}(\.\d{1,6})?$/.test(text) ? fromJson(Number(text)) : undefined),
  };
}

/**
 * Text that passes a check; by default, any that is not empty.
 *
 * @param right A valid text in words, as the end of "must be …".
 */
export function text(
  placeholder: string,
  right: string,
  isRight: (value: string) => boolean = (value) => value !== '',
): SettingKind<string> {
  const fromText = (value: string) => (isRight(value) ? value : undefined);
  return {
    placeholder,
    right,
    fromText,
    fromJson: (value) => (typeof value === 'string' ? fromText(value) : undefined),
  };
}

/** One of a few words. */
export function choice<const Word extends string>(words: readonly Word[]): SettingKind<Word> {
  const fromJson = (value: unknown) => words.find((word) => word === value);
  return { placeholder: words.join('|'), right: `one of ${words.join(', ')}`, fromJson, fromText: fromJson };
}

const WORDS: Readonly<Record<string, boolean>> = {
  true: true,
  '1': true,
  yes: true,
  false: false,
  '0': false,
  no: false,
};

/** On or off. */
export const toggle: SettingKind<boolean> = {
  placeholder: undefined,
  right: 'true or false',
  fromText: (value) => (Object.hasOwn(WORDS, value.toLowerCase()) ? WORDS[value.toLowerCase()] : undefined),
  fromJson: (value) => (typeof value === 'boolean' ? value : undefined),
};
