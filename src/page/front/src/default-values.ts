/** The part of a JSON Schema that says which values are filled in. */
export interface SchemaPart {
  readonly $ref?: string;
  readonly allOf?: readonly SchemaPart[];
  readonly properties?: Readonly<Record<string, SchemaPart>>;
  readonly patternProperties?: Readonly<Record<string, SchemaPart>>;
  readonly additionalProperties?: SchemaPart | boolean;
  readonly items?: SchemaPart | readonly SchemaPart[];
  readonly definitions?: Readonly<Record<string, SchemaPart>>;
  readonly default?: unknown;
}

type Fields = Record<string, unknown>;

const isFields = (value: unknown): value is Fields =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/**
 * What settings are that nobody has changed: every default of their schema, those within a default included. As in Ajv,
 * what only one of several alternatives (`anyOf`, `oneOf`) would fill in stays absent.
 *
 * @param schema The schema of an object, whose references lead to its own `definitions`.
 */
export function defaultValues(schema: SchemaPart): Fields {
  const values: Fields = {};
  fill(values, schema, schema);
  return values;
}

function fill(value: unknown, part: SchemaPart, root: SchemaPart): void {
  const referred = part.$ref === undefined ? undefined : definitionOf(part.$ref, root);
  for (const other of [...(referred ? [referred] : []), ...(part.allOf ?? [])]) fill(value, other, root);
  if (Array.isArray(value)) fillItems(value, part, root);
  if (isFields(value)) fillFields(value, part, root);
}

function definitionOf(reference: string, { definitions }: SchemaPart): SchemaPart {
  const found = definitions?.[reference.replace('#/definitions/', '')];
  if (!found) throw new TypeError(`A schema of settings refers to ${reference}, which it has not`);
  return found;
}

function fillItems(values: readonly unknown[], { items = {} }: SchemaPart, root: SchemaPart): void {
  values.forEach((value, at) => {
    const part = isList(items) ? items[at] : items;
    if (part) fill(value, part, root);
  });
}

const isList = (items: SchemaPart | readonly SchemaPart[]): items is readonly SchemaPart[] => Array.isArray(items);

function fillFields(values: Fields, part: SchemaPart, root: SchemaPart): void {
  const { properties = {}, patternProperties = {}, additionalProperties } = part;
  for (const [name, property] of Object.entries(properties)) {
    if (values[name] === undefined && property.default !== undefined) values[name] = structuredClone(property.default);
    fill(values[name], property, root);
  }
  for (const [name, value] of Object.entries(values)) {
    if (Object.hasOwn(properties, name)) continue;
    const patterns = Object.keys(patternProperties).filter((pattern) => new RegExp(pattern, 'u').test(name));
    for (const pattern of patterns) fill(value, patternProperties[pattern] ?? {}, root);
    if (patterns.length === 0 && typeof additionalProperties === 'object') fill(value, additionalProperties, root);
  }
}
