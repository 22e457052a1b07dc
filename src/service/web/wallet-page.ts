import { createHash } from 'node:crypto';
import { type Context, Hono } from 'hono';
import { isObject } from '../../base/texts.js';
import type { Desk } from './desk.js';
import { type Html, html, trusted } from './html-template.js';
import { field, layout } from './page-layout.js';
import { type Sheet, SheetShelf } from './sheets.js';
import { PageError, refuseTooOften, type SignedIn, signedIn } from './visit.js';

const PATH = '/dashboard/wallets';

/** The most wallets that a sheet compares. */
const MOST_WALLETS = 6;

const WALLET = /^0x[0-9a-f]{40}$/;

/**
 * The page of a wallet, or of up to six beside each other: their tear sheet. Its address names them, so that it can be
 * bookmarked. A sheet is made once for each data version.
 */
export function walletRoutes(desk: Desk): Hono {
  const app = new Hono();
  const shelf = new SheetShelf();
  app.get(PATH, (context) =>
    signedIn(context, desk, async (visit) => {
      const typed = (context.req.queries('wallet') ?? []).join(' ').trim();
      const wallets = [
        ...new Set(
          typed
            .toLowerCase()
            .split(/[\s,;]+/)
            .filter(Boolean),
        ),
      ];
      const example = (await desk.options.example?.())?.wallet;
      if (wallets.length === 0) return context.html(walletPage({ visit, typed, example }));
      const error = faultOf(wallets);
      if (error !== undefined) return context.html(walletPage({ visit, typed, example, error }), 422);
      const sheet = await sheetOf(desk, shelf, { visit, wallets, network: desk.clientOf(context) });
      allowParts(context, sheet);
      const isUnseen = sheet.unseen.length === wallets.length;
      return context.html(walletPage({ visit, typed, sheet }), isUnseen ? 404 : 200);
    }),
  );
  return app;
}

function faultOf(wallets: readonly string[]): string | undefined {
  const wrong = wallets.find((wallet) => !WALLET.test(wallet));
  if (wrong !== undefined) return `“${wrong.slice(0, 80)}” is no address: it is 0x and 40 hexadecimal digits.`;
  return wallets.length > MOST_WALLETS ? `At most ${MOST_WALLETS} wallets are compared.` : undefined;
}

interface AskedSheet {
  visit: SignedIn;
  wallets: readonly string[];
  /** The network that its queries count for. */
  network: string;
}

/** @throws {PageError} If no sheet can be made: at all, now, or of these wallets. */
async function sheetOf(desk: Desk, shelf: SheetShelf, { visit, wallets, network }: AskedSheet): Promise<Sheet> {
  const { sheets } = desk.options;
  if (!sheets) {
    throw new PageError(404, 'This service makes no tear sheets', 'The command “oddslab tearsheet” makes them.');
  }
  const version = await sheets.version();
  if (version === undefined) throw new PageError(503, 'No data are loaded yet', 'Load the page again once they are.');
  const name = wallets.join();
  if (!shelf.has(version, name)) {
    // Before it is counted: what is refused for want of room costs nothing.
    shelf.checkRoom(visit.account.id);
    refuseTooOften(await desk.sheetsOfAccount.take(visit.account.id));
  }
  try {
    const ask = (envelope: unknown) => sheets.ask(envelope, visit.account.id, network);
    return await shelf.take(version, name, (signal) => sheets.maker.make({ wallets, ask, signal }), visit.account.id);
  } catch (error) {
    const status = statusOf(error);
    if (status === 429)
      throw new PageError(429, 'Too often', 'Wait a minute, then try once more.', { 'Retry-After': '60' });
    if (status === 503) {
      throw new PageError(503, 'The service is busy', 'Load the page again in a minute.', { 'Retry-After': '60' });
    }
    throw error;
  }
}

/** The status with which a query of the sheet was refused, if that is why there is none. */
function statusOf(error: unknown): unknown {
  const details = error instanceof PageError ? undefined : Reflect.get(Object(error), 'details');
  return isObject(details) ? details.status : undefined;
}

/** Lets the page use the sheet's style besides the dashboard's own, and its script alone. */
function allowParts(context: Context, { style, script }: Sheet): void {
  const [ofStyle, ofScript] = [style, script].map((text) => createHash('sha256').update(text).digest('base64'));
  context.header(
    'Content-Security-Policy',
    `default-src 'none'; style-src 'self' 'sha256-${ofStyle}'; script-src 'sha256-${ofScript}'; img-src 'self'; form-action 'self'; base-uri 'none'; frame-ancestors 'none'`,
  );
}

interface WalletPage {
  readonly visit: SignedIn;
  readonly typed: string;
  /** A wallet in the data, to look at. */
  readonly example?: string | undefined;
  readonly error?: string | undefined;
  readonly sheet?: Sheet | undefined;
}

function walletPage({ visit, typed, example, error, sheet }: WalletPage): Html {
  const title = sheet?.title ?? 'Wallets';
  return layout({
    title: error === undefined ? title : `Error: ${title}`,
    visit,
    here: PATH,
    // As text of their elements they must stay as they are: their hashes let them in.
    head:
      sheet &&
      html`<style>${trusted(sheet.style)}</style>
<script>${trusted(sheet.script)}</script>`,
    main: html`${
      !sheet &&
      html`<h1>Wallets</h1>
<p class="lead">Does a wallet's record hold water? Its tear sheet says so on one page, with what speaks for it, what against
it, and what cannot be told.</p>`
    }
${walletForm(typed, example, error)}
${sheet && trusted(sheet.body)}`,
  });
}

function walletForm(typed: string, example: string | undefined, error: string | undefined): Html {
  const link =
    example !== undefined &&
    html` None at hand? <a href="${PATH}?wallet=${example}">Look at ${example.slice(0, 6)}…${example.slice(-4)}</a>, a busy one.`;
  return html`<form class="line" method="get" action="${PATH}" novalidate>
${field({
  name: 'wallet',
  label: 'Wallet',
  hint: html`An address, or up to ${MOST_WALLETS} with commas between, to compare.${link}`,
  error,
  control: (attributes) => html`<input${attributes} value="${typed}" autocomplete="off" spellcheck="false">`,
})}
<button class="main">Show</button>
</form>`;
}
