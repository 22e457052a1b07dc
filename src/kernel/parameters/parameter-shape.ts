/** What values a parameter takes, as far as its declaration tells. */
export type ParameterShape =
  | { kind: 'any' | 'string' | 'number' | 'boolean' | 'null' | 'undefined' | 'bigint' | 'date' }
  | { kind: 'literal'; value: string | number | boolean }
  /** Texts that a regular expression, given as its source, matches; `text` is the type as written. */
  | { kind: 'pattern'; source: string; text: string }
  /** Of `items`, each place has its own; those from `required` on may be missing, and `of` holds for any further. */
  | { kind: 'tuple'; items: ParameterShape[]; required: number; of?: ParameterShape }
  | { kind: 'array'; of: ParameterShape }
  /** `fields` are known by name, `rest` holds for all others; without it only the type checker could tell of others. */
  | { kind: 'object'; fields: Record<string, { shape: ParameterShape; isOptional: boolean }>; rest?: ParameterShape }
  | { kind: 'union'; of: ParameterShape[] }
  | { kind: 'enum'; members: EnumMember[] }
  /** Only the type checker could tell. */
  | { kind: 'unchecked' }
  /** Nothing that data could be: `a Map`, `a function`. */
  | { kind: 'foreign'; name: string };

/** A member of an enum. */
export interface EnumMember {
  name: string;
  value: string | number;
  /** As code names it: `Side.Yes`. A string of its value has another type. */
  source: string;
}

/** What any value fits. */
export const ANY: ParameterShape = { kind: 'any' };

/** What only the type checker could tell. */
export const UNCHECKED: ParameterShape = { kind: 'unchecked' };
