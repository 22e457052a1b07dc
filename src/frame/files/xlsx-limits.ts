import { UsageError } from '../../base/errors.js';

/** Rows of a sheet below the row of names. */
export const MOST_ROWS = 1_048_575;
/** Columns of a sheet. */
export const MOST_COLUMNS = 16_384;
/** Characters of a cell. */
export const MOST_TEXT = 32_767;

const MOST_NAME = 31;
const FORBIDDEN = /[[\]:*?/\\\p{Cc}]/u;

/**
 * A name that Excel allows for a sheet.
 *
 * @param taken The names of the sheets before it, which may not be the same in another case either.
 * @throws {UsageError} If it is empty, too long, has a character that is not allowed, is reserved, or is taken.
 */
export function checkedSheetName(name: string, taken: readonly string[]): string {
  const refuse = (why: string): never => {
    throw new UsageError(`A sheet cannot be called ${JSON.stringify(name)}: ${why}.`);
  };
  if (name.trim() === '') refuse('a name has a letter at least');
  if (name.length > MOST_NAME) refuse(`it has ${name.length} characters, and ${MOST_NAME} are allowed`);
  const stray = FORBIDDEN.exec(name)?.[0];
  if (stray !== undefined) refuse(`it has ${JSON.stringify(stray)}; [ ] : * ? / \\ and line breaks are not allowed`);
  if (/^'|'$/.test(name)) refuse("it begins or ends with an apostrophe '");
  if (name.toLowerCase() === 'history') refuse('Excel keeps that name for itself');
  const other = taken.find((each) => each.toLowerCase() === name.toLowerCase());
  if (other !== undefined) refuse(`there is "${other}" already, and capitals do not count`);
  return name;
}

const [NARROWEST, WIDEST] = [8, 60];

/** The width of a column in characters: room for its name and its texts, but no more than a screen shows well. */
export function widthOf(name: string, texts: readonly string[]): number {
  const widest = texts.reduce((most, text) => Math.max(most, text.length), name.length);
  return Math.min(WIDEST, Math.max(NARROWEST, widest + 2));
}
