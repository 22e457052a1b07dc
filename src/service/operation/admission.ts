import type { StoredKey } from '../accounts/api-keys.js';
import type { KeyUses } from '../accounts/key-uses.js';
import type { Keyring } from '../accounts/known-keys.js';
import { clientNetwork } from '../http/hosts.js';
import { bearerOf } from '../http/negotiation.js';
import { ProblemError } from '../http/problems.js';
import type { RequestNotes } from '../http/request-record.js';
import type { ActionLimit, Allowance } from './token-buckets.js';

/** How often requests of one network may come without a key in force before they are answered 429 instead of 401. */
export const REFUSALS_OF_A_NETWORK: Allowance = { burst: 100, refillMs: 1000 };

/** What admission of requests by their key rests on. */
interface AdmissionOptions {
  readonly keys: Pick<Keyring, 'find'>;
  readonly keyUses: Pick<KeyUses, 'note'>;
  /** Counts refusals by network: see {@link REFUSALS_OF_A_NETWORK}. */
  readonly refusals: Pick<ActionLimit, 'take'>;
}

/** Admits requests by the key that they present. */
export class Admission {
  readonly #options: AdmissionOptions;

  constructor(options: AdmissionOptions) {
    this.#options = options;
  }

  /**
   * Finds the key in force that a request presents, and notes that it was used.
   *
   * @param authorization The request's header.
   * @returns The key; without a wait if this process knows it.
   * @throws {ProblemError} 401 if it presents none, 429 if its network has presented none too often. A key in force is
   *   admitted whatever came from its network. If it returns a promise, that is rejected.
   */
  admit(authorization: string | undefined, seen: RequestNotes): StoredKey | Promise<StoredKey> {
    const presented = bearerOf(authorization);
    const found = presented === undefined ? undefined : this.#options.keys.find(presented);
    const take = (key: StoredKey | undefined) => (key ? this.#noted(key, seen) : this.#refuse(presented, seen));
    return found instanceof Promise ? found.then(take) : take(found);
  }

  #noted(key: StoredKey, seen: RequestNotes): StoredKey {
    this.#options.keyUses.note(key.id);
    seen.keyId = key.id;
    return key;
  }

  async #refuse(presented: string | undefined, { client }: RequestNotes): Promise<never> {
    const waitMs = await this.#options.refusals.take(clientNetwork(client ?? '') ?? 'unknown');
    if (waitMs > 0) {
      const seconds = String(Math.ceil(waitMs / 1000));
      const detail = `Too many requests without a valid key came from this network: ask again in ${seconds} s.`;
      throw new ProblemError(429, detail, { headers: { 'Retry-After': seconds } });
    }
    const detail =
      presented === undefined ? 'Send the header "Authorization: Bearer <API key>".' : 'This API key is not valid.';
    throw new ProblemError(401, detail, { headers: { 'WWW-Authenticate': 'Bearer' } });
  }
}
