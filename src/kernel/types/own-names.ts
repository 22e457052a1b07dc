/** The document that gives on the names of all earlier cells that are open. */
export const KEEPER = '.oddslab-keep.mts';
/** The name by which a draft calls the keeper. */
export const EARLIER = 'oddslab_earlier';
/** What stands before the name of a variable, for what a cell leaves in it. */
export const NOW = 'oddslab_now_';
/** The type by which a draft asks whether a variable may be null or undefined. */
export const LACKS = 'oddslab_lacks';
/** What stands before a name, for its type where its value is of another cell. */
export const TYPE_OF = 'oddslab_type_';

const FIRST_REREAD = 0x3400;

/** Whether a name is one that cells have for the sake of the checker. */
export function isOwnName(name: string): boolean {
  return name === EARLIER || name === LACKS || name.startsWith(NOW) || name.startsWith(TYPE_OF);
}

/**
 * A name of the same length for what an earlier cell left in a variable that is declared again: columns stay.
 *
 * @returns undefined for names that do not start in ASCII.
 * @example rereadName('rows') // '㑲ows'
 */
export function rereadName(name: string): string | undefined {
  const first = name.charCodeAt(0);
  return first < 0x80 ? String.fromCharCode(FIRST_REREAD + first) + name.slice(1) : undefined;
}

/** Gives a text of the language server the names back that {@link rereadName} changed. */
export function withoutRereads(text: string): string {
  return text.replace(/(?<![\p{ID_Continue}$])[\u3424-\u347a]/gu, (changed) =>
    String.fromCharCode(changed.charCodeAt(0) - FIRST_REREAD),
  );
}
