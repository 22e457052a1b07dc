/** A value that a parameter can be set to. */
export type ParameterValue =
  | string
  | number
  | boolean
  | bigint
  | null
  | Date
  | MemberValue
  | ParameterValue[]
  | { [name: string]: ParameterValue };

/** A member of an enum, which code must name: its value alone is of another type. */
export class MemberValue {
  readonly value: string | number;
  /** `Side.Yes` */
  readonly source: string;

  constructor(value: string | number, source: string) {
    this.value = value;
    this.source = source;
  }

  /** Data know its value alone. */
  toJSON(): string | number {
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
