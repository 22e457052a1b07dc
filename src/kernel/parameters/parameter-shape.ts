/** The values that a parameter takes, as far as its declaration tells. */
export type ParameterShape =
  | { kind: 'any' | 'string' | 'number' | 'boolean' | 'null' | 'undefined' | 'bigint' | 'date' }
  | { kind: 'literal'; value: string | number | boolean }
  /** Strings that match a regular expression, given as its source; `text` is the type as written. */
  | { kind: 'pattern'; source: string; text: string }
  /**
   * Each place has its own shape in `items`; those from `required` on may be missing. `of` is that of any further ones.
   */
  | { kind: 'tuple'; items: ParameterShape[]; required: number; of?: ParameterShape }
  | { kind: 'array'; of: ParameterShape }
  /**
   * `fields` are the known names, `rest` the shape of all others; without it, only the type checker could judge others.
   */
  | { kind: 'object'; fields: Record<string, { shape: ParameterShape; isOptional: boolean }>; rest?: ParameterShape }
  | { kind: 'union'; of: ParameterShape[] }
  | { kind: 'enum'; members: EnumMember[] }
  /** Only the type checker could judge the value. */
  | { kind: 'unchecked' }
  /** Not a kind of data: `a Map`, `a function`. */
  | { kind: 'foreign'; name: string };

/** A member of an enum. */
export interface EnumMember {
  name: string;
  value: string | number;
  /** How code refers to it: `Side.Yes`. The string of its value has another type. */
  source: string;
}

/** The shape that any value fits. */
export const ANY: ParameterShape = { kind: 'any' };

/** The shape for values that only the type checker could judge. */
export const UNCHECKED: ParameterShape = { kind: 'unchecked' };
