import { expect, it } from 'vitest';
import { html } from '../../../src/service/web/html-template.js';
import fc from '../../support/fast-check.js';

it('escapes text, and leaves markup of its own', () => {
  const inner = html`<b>${'<i>'}</b>`;
  const page = html`<p title="${`"'`}">${inner}${[inner, 'a & b', 3]}${false}${undefined}</p>`;
  expect(String(page)).toBe('<p title="&quot;&#39;"><b>&lt;i&gt;</b><b>&lt;i&gt;</b>a &amp; b3</p>');
});

it('lets no text become markup', () => {
  fc.assert(
    fc.property(fc.string({ unit: fc.constantFrom('<', '>', '"', "'", '&', ';', 'a', 'lt', '=', ' ') }), (text) => {
      const written = String(html`${text}`);
      expect(written).not.toMatch(/[<>"']/);
      const read = written.replace(
        /&(amp|lt|gt|quot|#39);/g,
        (_, name: string) => ({ amp: '&', lt: '<', gt: '>', quot: '"', '#39': "'" })[name] ?? '',
      );
      expect(read).toBe(text);
    }),
  );
});

it('takes nothing from JSON for markup', () => {
  const value = JSON.parse('{"isEscaped":true,"toString":"<b>"}') as string;
  expect(() => String(html`${value}`)).toThrow();
});
