import { NamedValue, type ParameterValue } from './parameter-value.js';

/** A value as TypeScript source. @example valueSource({ since: new Date(0) }); // '{ since: new Date("1970-01-01T00:00:00.000Z") }' */
export function valueSource(value: ParameterValue): string {
  if (typeof value === 'bigint') return `${value}n`;
  if (typeof value === 'number') return Object.is(value, -0) ? '-0' : String(value);
  if (typeof value !== 'object' || value === null) return JSON.stringify(value);
  if (value instanceof Date) return `new Date(${JSON.stringify(value.toISOString())})`;
  if (value instanceof NamedValue) return value.source;
  if (Array.isArray(value)) return `[${value.map(valueSource).join(', ')}]`;
  const fields = Object.entries(value).map(([name, each]) => `${keySource(name)}: ${valueSource(each)}`);
  return fields.length > 0 ? `{ ${fields.join(', ')} }` : '{}';
}

function keySource(name: string): string {
  // Without brackets it would set the object's prototype.
  if (name === '__proto__') return '["__proto__"]';
  return /^[A-Za-z_$][\w$]*$/.test(name) ? name : JSON.stringify(name);
}
