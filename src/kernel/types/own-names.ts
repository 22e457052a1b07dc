/** The document that passes on the names of all open earlier cells. */
export const KEEPER = '.oddslab-keep.mts';
/** The name under which a draft imports the keeper; longer ones stand for a cell, or for a variable before it is checked. */
export const EARLIER = 'oddslab_earlier';
/** Prefix of a variable's name, for what a cell leaves in it. */
export const NOW = 'oddslab_now_';
/** Prefix of a variable's name, for a function that returns it. */
export const DECLARED = 'oddslab_declared_';
/** The type by which a draft asks whether a variable may be null or undefined. */
export const LACKS = 'oddslab_lacks';
/** Prefix of a name, for its type where its value comes from another cell. */
export const TYPE_OF = 'oddslab_type_';

const FIRST_REREAD = 0x3400;

/** Whether a name exists only for the checker. */
export function isOwnName(name: string): boolean {
  return name === LACKS || [EARLIER, NOW, DECLARED, TYPE_OF].some((prefix) => name.startsWith(prefix));
}

/**
 * A name of the same length for what an earlier cell left in a variable that is declared again, so that columns stay.
 *
 * @returns Undefined for names whose first character is not ASCII.
 * @example rereadName('rows') // '㑲ows'
 */
export function rereadName(name: string): string | undefined {
  const first = name.charCodeAt(0);
  return first < 0x80 ? String.fromCharCode(FIRST_REREAD + first) + name.slice(1) : undefined;
}

/** Restores in the language server's text the names that {@link rereadName} changed. */
export function withoutRereads(text: string): string {
  return text.replace(/(?<![\p{ID_Continue}$])[\u3424-\u347a]/gu, (changed) =>
    String.fromCharCode(changed.charCodeAt(0) - FIRST_REREAD),
  );
}
