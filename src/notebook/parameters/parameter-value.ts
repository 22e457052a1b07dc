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

/** A value that code must write by name, because the value itself has another type: an enum member, or undefined. */
export class NamedValue {
  readonly value: string | number | null;
  /** The name in code, such as `Side.Yes` or `undefined`. */
  readonly source: string;

  constructor(value: string | number | null, source: string) {
    this.value = value;
    this.source = source;
  }

  /** JSON holds only the value, not the name. */
  toJSON(): string | number | null {
    return this.value;
  }
}

/** A parameter that the user set: as text on the command line, or as data in a file. */
export interface GivenParameter {
  name: string;
  /** How errors call the place: `-p` or the file's name. */
  where: string;
  value: { text: string } | { data: unknown };
}
