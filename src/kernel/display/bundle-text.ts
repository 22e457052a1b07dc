import { textOfHtml } from './drawn-values.js';

/** How the parts of a bundle become text. */
interface Words {
  print(value: unknown): string;
  /** Describes the bytes of a picture; undefined for others. */
  picture(bytes: Buffer): unknown;
}

/**
 * The text that stands beside parts without any, for front ends that show only text: what a chart is, what HTML says,
 * another text itself, what a picture is, a value as it is printed. Of several parts that of the first such kind; where
 * there is none, the type in brackets.
 *
 * @param data Parts by MIME type, in the form that messages carry; at least one.
 */
export function textBeside(data: Record<string, unknown>, { print, picture }: Words): string {
  const kinds: ((type: string, part: unknown) => unknown)[] = [
    (type, part) => (CHART.test(type) ? chartText(type, part) : ''),
    (type, part) => (type === 'text/html' ? textOfHtml(String(part)) : ''),
    (type, part) => (/^text\/(?!html$)/.test(type) ? part : ''),
    (type, part) => (type.startsWith('image/') ? picture(bytesOf(type, String(part))) : ''),
    (_, part) => (typeof part === 'object' ? print(part) : ''),
  ];
  const parts = Object.entries(data);
  for (const textOf of kinds) {
    const text = parts
      .map(([type, part]) => textOf(type, part))
      .find((each) => typeof each === 'string' && each !== '');
    if (text !== undefined) return String(text);
  }
  return `[${Object.keys(data)[0]}]`;
}

function bytesOf(type: string, part: string): Buffer {
  return Buffer.from(part, type === 'image/svg+xml' ? 'utf8' : 'base64');
}

const CHART = /^application\/vnd\.(plotly|vega|vegalite)\.v\d+\+json$/;
const CHART_NAMES: Readonly<Record<string, string>> = { plotly: 'Plotly', vega: 'Vega', vegalite: 'Vega-Lite' };

/** What a chart is, and its title. */
function chartText(type: string, chart: unknown): string {
  const { title, layout } = Object(chart) as { title?: unknown; layout?: unknown };
  const given: unknown = title ?? Object(layout).title;
  const text: unknown = typeof given === 'string' ? given : Object(given).text;
  const name = `${CHART_NAMES[CHART.exec(type)?.[1] ?? ''] ?? ''} chart`.trim();
  return typeof text === 'string' && text !== '' ? `${name}: ${text}` : name;
}
