/** What was written to a file. */
export interface WrittenFile {
  /** The file's absolute path. */
  path: string;
  /** Rows of the frame; a header is none. */
  rows: number;
  /** Size of the file. */
  bytes: number;
}
