/** A value that a parameter can be set to. */
export type ParameterValue =
  | string
  | number
  | boolean
  | bigint
  | null
  | Date
  | ParameterValue[]
  | { [name: string]: ParameterValue };

/** A parameter that was asked for: as text from the command line, or as data from a file. */
export interface GivenParameter {
  name: string;
  /** How errors call the place: `-p` or the file's name. */
  where: string;
  value: { text: string } | { data: unknown };
}
