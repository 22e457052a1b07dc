/** Bytes of a wallet's key in a file. */
export const WALLET_KEY_BYTES = 20;

const WALLET = /^0x[0-9a-f]{40}$/;

/**
 * A wallet's key in a file: the bytes of its address, which sort as the addresses do.
 *
 * @returns Undefined for anything but an address of 20 bytes in lower case: only the database has its rows.
 */
export function walletKey(wallet: string): Buffer | undefined {
  return WALLET.test(wallet) ? Buffer.from(wallet.slice(2), 'hex') : undefined;
}
