import type { InputRequest } from '../../events.js';

/** The globals that ask the reader. */
export interface AskReader {
  input(prompt?: string): Promise<string>;
  prompt(message?: string, fallback?: string): Promise<string>;
  confirm(message?: string): Promise<boolean>;
  password(prompt?: string): Promise<string>;
}

/** Makes the globals that ask the reader from a function that asks for a line. */
export function askReader(ask: (request: InputRequest) => Promise<string>): AskReader {
  const line = (prompt: unknown, isPassword = false): Promise<string> => ask({ prompt: String(prompt), isPassword });
  return {
    input: async (prompt = '') => line(prompt),
    async prompt(message = '', fallback = '') {
      const hint = fallback === '' ? '' : `[${fallback}]`;
      const text = [message, hint].map(String).filter(Boolean).join(' ');
      const typed = await line(text === '' ? '' : `${text} `);
      return typed === '' ? String(fallback) : typed;
    },
    async confirm(message = 'Go on?') {
      let typed = await line(`${message} [y/N] `);
      while (!/^\s*(y|yes|n|no|)\s*$/i.test(typed)) typed = await line(`Please answer y or n. ${message} [y/N] `);
      return /^\s*y/i.test(typed);
    },
    password: async (prompt = 'Password: ') => line(prompt, true),
  };
}
