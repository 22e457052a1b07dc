/** A file that was written. */
export interface WrittenFile {
  /** The file's absolute path. */
  path: string;
  /** Number of rows of the frame; a header is not counted. */
  rows: number;
  /** Size of the file in bytes. */
  bytes: number;
}
