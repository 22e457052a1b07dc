import type { Program, Statement, TSEnumDeclaration, TSInterfaceDeclaration, TSType } from 'oxc-parser';

/** What a name stands for that a cell declares as a type. */
export type NamedType =
  | { kind: 'alias'; type: TSType }
  /** Several declarations of one name form one interface. */
  | { kind: 'interface'; parts: TSInterfaceDeclaration[] }
  | { kind: 'enum'; declaration: TSEnumDeclaration }
  | { kind: 'class' }
  /** A type with type parameters of its own. */
  | { kind: 'generic' };

/** The types that a cell declares, by name. */
export type NamedTypes = ReadonlyMap<string, NamedType>;

/** The types that the statements of a cell declare, so that a parameter of such a type can be checked. */
export function namedTypesOf(body: Program['body']): NamedTypes {
  const types = new Map<string, NamedType>();
  for (const statement of body) {
    const isExport = statement.type === 'ExportNamedDeclaration';
    const declaration = isExport ? statement.declaration : statement;
    const named = declaration ? namedBy(declaration) : undefined;
    if (!named) continue;
    const [name, type] = named;
    const older = types.get(name);
    const isMore = older?.kind === 'interface' && type.kind === 'interface';
    types.set(name, isMore ? { kind: 'interface', parts: [...older.parts, ...type.parts] } : type);
  }
  return types;
}

function namedBy(declaration: Statement): [string, NamedType] | undefined {
  switch (declaration.type) {
    case 'TSTypeAliasDeclaration':
      return [
        declaration.id.name,
        declaration.typeParameters ? { kind: 'generic' } : { kind: 'alias', type: declaration.typeAnnotation },
      ];
    case 'TSInterfaceDeclaration':
      return [
        declaration.id.name,
        declaration.typeParameters ? { kind: 'generic' } : { kind: 'interface', parts: [declaration] },
      ];
    case 'TSEnumDeclaration':
      return [declaration.id.name, { kind: 'enum', declaration }];
    case 'ClassDeclaration':
      return declaration.id ? [declaration.id.name, { kind: 'class' }] : undefined;
    default:
      return undefined;
  }
}
