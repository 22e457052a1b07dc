import { SHORT_QUERY_PATH } from '../contract/envelope.js';

/**
 * A command for any POSIX shell that sends a request, with the key from the environment.
 *
 * @param open Whether the service needs no key.
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

/** Quotes any text as one word of a shell command. */
function quoted(text: string): string {
  return `'${text.replaceAll("'", String.raw`'\''`)}'`;
}
