import { microsOf } from '../../base/decimal.js';
import type { Dataset } from '../../contract/dataset.js';
import type { Parameter } from '../../contract/definition.js';
import { SHORT_QUERY_PATH } from '../../contract/envelope.js';

/** The client's method for each dataset that has one. */
const METHODS: Readonly<Record<string, string>> = {
  markets: 'markets',
  pnl: 'pnl',
  lifetime: 'lifetime',
  leaderboard: 'leaderboard',
  positions: 'positions',
  trades: 'trades',
  candles: 'candles',
};

/**
 * Writes an ES module in TypeScript that asks for the same records by the client and prints them.
 *
 * @param params Filters by wire name, as text.
 * @param open Whether the service answers without a key, which otherwise comes from the environment.
 */
export function typescriptCode(
  baseUrl: string,
  dataset: Dataset,
  params: Readonly<Record<string, string>>,
  limit: number,
  open: boolean,
): string {
  const method = METHODS[dataset.name];
  const given = dataset.parameters.filter(({ name }) => params[name] !== undefined);
  const filters = objectOf(
    given.map((parameter) => {
      const text = params[parameter.name] ?? '';
      return method ? [parameter.option, literalOf(parameter, text)] : [parameter.name, quoted(text)];
    }),
  );
  const key = open ? '' : ', apiKey: process.env.ODDSLAB_API_KEY';
  const call = method ? `${method}(${filters}` : `dataset(${dataset.id}, ${filters}`;
  return `import { connect } from 'oddslab';

const client = connect({ baseUrl: ${quoted(baseUrl)}${key} });
const frame = await client.${call}, { maxRecords: ${limit} }).frame();
frame.print();
`;
}

function objectOf(entries: readonly (readonly string[])[]): string {
  return entries.length === 0 ? '{}' : `{ ${entries.map(([name, value]) => `${name}: ${value}`).join(', ')} }`;
}

/** A parameter's value as a literal that the client accepts. */
function literalOf({ kind }: Parameter, text: string): string {
  switch (kind) {
    case 'boolean':
      return text.toLowerCase() === 'true' ? 'true' : 'false';
    case 'amount':
      // A leading zero would make it another number, or a syntax error.
      return microsOf(text) === undefined ? quoted(text) : String(Number(text));
    case 'signedAmount':
      return microsOf(text) === undefined ? quoted(text) : String(Number(text));
    case 'count':
    case 'unixSeconds':
      return /^-?\d+$/.test(text) ? String(Number(text)) : quoted(text);
    case 'conditionIds':
    case 'wallet': {
      const wallets = text.split(',').map((wallet) => quoted(wallet.trim()));
      return wallets.length > 1 ? `[${wallets.join(', ')}]` : (wallets[0] ?? quoted(''));
    }
    default:
      return quoted(text);
  }
}

function quoted(text: string): string {
  return `'${JSON.stringify(text).slice(1, -1).replaceAll('\\"', '"').replaceAll("'", String.raw`\'`)}'`;
}

/** A command for any POSIX shell that sends a request, with the key from the environment unless the service is open. */
export function curlCommand(baseUrl: string, request: object, open: boolean): string {
  const lines = [
    `curl -s ${shellQuoted(new URL(SHORT_QUERY_PATH, baseUrl).href)}`,
    ...(open ? [] : ['-H "Authorization: Bearer $ODDSLAB_API_KEY"']),
    "-H 'Content-Type: application/json'",
    `-d ${shellQuoted(JSON.stringify(request))}`,
  ];
  return lines.join(' \\\n  ');
}

function shellQuoted(text: string): string {
  return `'${text.replaceAll("'", String.raw`'\''`)}'`;
}
