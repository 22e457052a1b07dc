/**
 * Writes text as one word of a shell command: in quotes if the shell would not take it as it is.
 *
 * @param platform The platform of the shell: `win32` for cmd.exe and PowerShell, any other for a POSIX shell. Default
 *   that of this machine.
 * @example shellWord('my data'); // 'my data', with the quotes
 */
export function shellWord(text: string, platform: NodeJS.Platform = process.platform): string {
  const isWindows = platform === 'win32';
  if ((isWindows ? /^[\w./@:+\\-]+$/ : /^[\w./@:+-]+$/).test(text)) return text;
  return isWindows ? `"${text}"` : `'${text.replaceAll("'", String.raw`'\''`)}'`;
}
