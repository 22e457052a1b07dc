/** A value that a parameter can be set to. */
export type ParameterValue =
  | string
  | number
  | boolean
  | bigint
  | null
  | Date
  | NamedValue
  | ParameterValue[]
  | { [name: string]: ParameterValue };

/** What code must name, since its value alone is of another type: a member of an enum, or undefined. */
export class NamedValue {
  readonly value: string | number | null;
  /** `Side.Yes` or `undefined`. */
  readonly source: string;

  constructor(value: string | number | null, source: string) {
    this.value = value;
    this.source = source;
  }

  /** Data know its value alone. */
  toJSON(): string | number | null {
    return this.value;
  }
}

/** A parameter that was asked for: as text from the command line, or as data from a file. */
export interface GivenParameter {
  name: string;
  /** How errors call the place: `-p` or the file's name. */
  where: string;
  value: { text: string } | { data: unknown };
}
