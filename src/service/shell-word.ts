/**
 * A text as one word of a command to type: as it is where the shell takes it so, else in quotes.
 *
 * @param platform Whose shell: cmd.exe and PowerShell of `win32`, else any POSIX shell. Default: of this machine.
 * @example shellWord('my data'); // 'my data', with the quotes
 */
export function shellWord(text: string, platform: NodeJS.Platform = process.platform): string {
  const isWindows = platform === 'win32';
  if ((isWindows ? /^[\w./@:+\\-]+$/ : /^[\w./@:+-]+$/).test(text)) return text;
  return isWindows ? `"${text}"` : `'${text.replaceAll("'", String.raw`'\''`)}'`;
}
