import { SHORT_QUERY_PATH } from '../contract/envelope.js';

/**
 * The shell command that sends a request, for any POSIX shell, with the key left to the environment.
 *
 * @param open Whether the service takes it without a key.
 */
export function curlCommand(baseUrl: string, request: object, open: boolean): string {
  const lines = [
    `curl -s ${quoted(new URL(SHORT_QUERY_PATH, baseUrl).href)}`,
    ...(open ? [] : ['-H "Authorization: Bearer $ODDSLAB_API_KEY"']),
    "-H 'Content-Type: application/json'",
    `-d ${quoted(JSON.stringify(request))}`,
  ];
  return lines.join(' \\\n  ');
}

/** As one word of a shell command, whatever is in it. */
function quoted(text: string): string {
  return `'${text.replaceAll("'", String.raw`'\''`)}'`;
}
