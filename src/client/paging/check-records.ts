import { AnswerError } from '../../base/errors.js';
import type { Dataset } from '../../contract/dataset.js';
import type { Appended, FrameBuilder } from '../../frame/decode/frame-builder.js';

const WALLET_COLUMN = 'proxy_wallet';

/** The wallet that a series asks for, and the name of its filter; undefined if it names no wallet. */
export function walletOf(
  { parameters }: Dataset,
  params: Readonly<Record<string, string>>,
): { readonly filter: string; readonly wallet: string } | undefined {
  const filter = parameters.find(({ kind }) => kind === 'wallet')?.name ?? '';
  const wallet = params[filter];
  return wallet ? { filter, wallet } : undefined;
}

/**
 * Refuses a page with a record of another wallet than the one asked for, even if it was dropped as a repeat.
 *
 * @throws {AnswerError} If there is one; the message names both wallets.
 */
export function checkWallet(
  dataset: Dataset,
  params: Readonly<Record<string, string>>,
  builder: Partial<Pick<FrameBuilder, 'otherText'>>,
  { records, repeats }: Appended,
): void {
  const asked = walletOf(dataset, params);
  if (!asked || !dataset.key.includes(WALLET_COLUMN)) return;
  const other = builder.otherText?.(WALLET_COLUMN, asked.wallet, records - repeats);
  if (other === undefined) return;
  throw new AnswerError(
    `a record is of ${WALLET_COLUMN} ${other}, but ${asked.filter} ${asked.wallet} was asked for: ` +
      'the service seems to ignore this filter.',
  );
}

/**
 * Refuses a page with a record that was sent before with other values.
 *
 * @throws {AnswerError} If there is one; the message names its key and the field.
 */
export function checkRepeats({ repeated }: Partial<Pick<FrameBuilder, 'repeated'>>): void {
  if (!repeated?.differing) return;
  const { key, field } = repeated.differing;
  throw new AnswerError(
    `the record of ${key} came before with another "${field}", and nothing tells which of them is right. ` +
      'Run the query again; where that does not help, the service is at fault.',
  );
}
