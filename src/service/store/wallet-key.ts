/** Bytes of a wallet's key in a file. */
export const WALLET_KEY_BYTES = 20;

const WALLET = /^0x[0-9a-f]{40}$/;

/**
 * A wallet's key in a file: the bytes of its address, in whose order the addresses themselves are.
 *
 * @returns Undefined for what is no address of 20 bytes in lower case: its rows are in the database alone.
 */
export function walletKey(wallet: string): Buffer | undefined {
  return WALLET.test(wallet) ? Buffer.from(wallet.slice(2), 'hex') : undefined;
}
