/** An answer of the dashboard. */
export interface Answered {
  status: number;
  text: string;
  headers: Headers;
  /** The target of a redirect, as sent. */
  location: string | null;
}

/** A minimal browser: keeps cookies, follows no redirects, sends forms as a browser does. */
export class Browser {
  readonly cookies = new Map<string, string>();
  readonly #url: string;

  constructor(url: string) {
    this.#url = url;
  }

  async get(path: string): Promise<Answered> {
    return this.#send(path, {});
  }

  /** Sends a form with the token of the page that it is on, unless one is given. */
  async post(path: string, fields: Record<string, string>, from = '/', more: Record<string, string> = {}) {
    const form_token = fields.form_token ?? tokenIn((await this.get(from)).text);
    return this.send(path, new URLSearchParams({ ...fields, form_token }), { Origin: this.#url, ...more });
  }

  /** Sends a form unchanged. */
  async send(path: string, body: URLSearchParams, headers: Record<string, string>): Promise<Answered> {
    return this.#send(path, { method: 'POST', body, headers });
  }

  async #send(path: string, init: RequestInit): Promise<Answered> {
    const cookie = [...this.cookies].map(([name, value]) => `${name}=${value}`).join('; ');
    const headers = { ...(cookie ? { Cookie: cookie } : {}), ...(init.headers as object) };
    const response = await fetch(new URL(path, this.#url), { ...init, headers, redirect: 'manual' });
    for (const line of response.headers.getSetCookie()) {
      const [, name = '', value = ''] = /^([^=]+)=([^;]*)/.exec(line) ?? [];
      if (/max-age=0/i.test(line)) this.cookies.delete(name);
      else this.cookies.set(name, value);
    }
    return {
      status: response.status,
      text: await response.text(),
      headers: response.headers,
      location: response.headers.get('Location'),
    };
  }
}

/** The form token of a page. */
export function tokenIn(page: string): string {
  return /name="form_token" value="([^"]+)"/.exec(page)?.[1] ?? '';
}
