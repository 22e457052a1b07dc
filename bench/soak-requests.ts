/** A request of the mix and its expected status. */
export interface SoakRequest {
  readonly kind: 'wallet' | 'paged wallet' | 'lifetimes' | 'markets' | 'markets by state' | 'rare' | 'wrong';
  readonly body: string;
  readonly status: number;
  /** Whether the key is sent. */
  readonly hasKey: boolean;
}

const WRONG: readonly (readonly [body: string, status: number, hasKey: boolean])[] = [
  ['{"agent_id":1}', 404, true],
  ['{"agent_id":569,"params":{"wallet":"nobody"}}', 422, true],
  ['{"agent_id":574,"params":{"closd":"True"}}', 422, true],
  ['{"agent_id":574', 400, true],
  ['{"agent_id":574}', 401, false],
];

/** Draws a random request over all datasets: one that recurs, one that hardly does, or a wrong one. */
export function drawRequest(wallets: readonly string[]): SoakRequest {
  const [draw, wallet] = [Math.random(), wallets[below(wallets.length)] ?? ''];
  if (draw < 0.3) return right('wallet', 569, { wallet, granularity: ['1d', '1w', '1m', 'all'][below(4)] });
  if (draw < 0.5) return right('paged wallet', 569, { wallet }, { limit: 10, offset: 10 * below(4) });
  if (draw < 0.65) return right('lifetimes', 586, { wallet_address: wallet });
  if (draw < 0.75) return right('markets', 574, {}, { limit: 50, offset: 50 * below(4) });
  if (draw < 0.8)
    return right('markets by state', 555, { closed: ['True', 'False'][below(2)] }, { limit: 50, offset: 0 });
  if (draw < 0.9) return rare(wallet);
  const [body, status, hasKey] = WRONG[below(WRONG.length)] ?? ['', 400, true];
  return { kind: 'wrong', body, status, hasKey };
}

/** A request that hardly ever recurs. */
function rare(wallet: string): SoakRequest {
  if (Math.random() < 0.5) {
    const start_time = new Date(Date.UTC(2020, 0, 1) + below(2000) * 86_400_000).toISOString().slice(0, 10);
    return right('rare', 569, { wallet, start_time });
  }
  return right('rare', 574, { min_volume: String(below(100_000)) }, { limit: 20, offset: 0 });
}

function right(
  kind: SoakRequest['kind'],
  agent_id: number,
  params: Readonly<Record<string, string | undefined>>,
  pagination = { limit: 200, offset: 0 },
): SoakRequest {
  return { kind, body: JSON.stringify({ agent_id, params, pagination }), status: 200, hasKey: true };
}

function below(count: number): number {
  return Math.floor(Math.random() * count);
}
