import type pg from 'pg';
import { type Checker, type Type, TypeFlags, type TypeReference } from 'typescript/unstable/sync';
import type { DatabaseTypes, Kind } from './database-types.ts';
import type { Statement } from './find-statements.ts';

/** Columns that can be null, but not in the rows that statements read: another column of theirs says so. */
const alwaysSet: Readonly<Record<string, string>> = {
  'host_state.set_id': 'of a host with a snapshot',
  'host_state.first_snapshot_at': 'of a host with a snapshot',
  'uploads.body': 'until the upload is parsed',
};

/** What a type of rows is compared with. */
export interface Catalog {
  readonly checker: Checker;
  readonly types: DatabaseTypes;
  /** The names of columns that can be null. */
  readonly nullable: ReadonlyMap<string, string>;
}

/** Reads which columns can be null: Prisma's lists and the columns of views have no NOT NULL. */
export async function readNullable(client: pg.ClientBase): Promise<Catalog['nullable']> {
  const { rows } = await client.query<{ key: string; name: string }>(
    `SELECT attrelid || ' ' || attnum AS key, relname || '.' || attname AS name
     FROM pg_attribute JOIN pg_class c ON c.oid = attrelid
     WHERE attnum > 0 AND NOT attnotnull AND attndims = 0 AND relkind = 'r' AND relnamespace = 'public'::regnamespace`,
  );
  return new Map(rows.map(({ key, name }) => [key, name]));
}

/** How the type of the rows of a statement differs from its columns. */
export function rowFaults(
  catalog: Catalog,
  { text, row, drivers }: Statement,
  columns: readonly pg.FieldDef[],
): readonly string[] {
  if (columns.length === 0 || row === 'unread') return [];
  if (row === null || (row.flags & TypeFlags.Any) !== 0) return ['its rows have no type'];
  if ((row.flags & TypeFlags.Unknown) !== 0) return [];
  const declared = declaredIn(catalog.checker, row);
  const names = columns.map(({ name }) => name);
  const lacking = [...declared].filter(([name, kinds]) => !names.includes(name) && !kinds.has('missing'));
  return [
    ...lacking.map(([name]) => `has no column ${name}`),
    ...columns.flatMap(({ name, dataTypeID, tableID, columnID }, index) => {
      const kinds = declared.get(name);
      if (names.indexOf(name) !== index) return [`has two columns ${name}`];
      if (kinds === undefined) return [`has a column ${name}, and its type has not`];
      const read = drivers.map((driver) => catalog.types.kindRead(dataTypeID, driver));
      const other = read.find((kind) => ![...kinds].every((each) => isEmpty(each) || fits(kind, each)));
      if (other !== undefined) return [`column ${name} is ${other}, not ${[...kinds].join(' | ')}`];
      const stored = catalog.nullable.get(`${tableID} ${columnID}`);
      const canBeNull =
        stored !== undefined && alwaysSet[stored] === undefined && !excludesNull(text, stored);
      return canBeNull && !kinds.has('null') && !kinds.has('anything') ? [`column ${name} can be null`] : [];
    }),
  ];
}

/** The properties of a type; one that need not be there can be `missing`. */
function declaredIn(checker: Checker, row: Type): ReadonlyMap<string, ReadonlySet<Kind>> {
  const rows = (row.isUnionType() ? row.getTypes() : [row]).map((each) => checker.getPropertiesOfType(each));
  const names = new Set(rows.flat().map(({ name }) => name));
  const kindsOf = (name: string) =>
    rows.flatMap((properties) => {
      const property = properties.find((each) => each.name === name);
      const type = property && checker.getTypeOfSymbol(property);
      return type === undefined ? ['missing'] : kindsDeclared(checker, type);
    });
  return new Map([...names].map((name) => [name, new Set(kindsOf(name))]));
}

const primitives: readonly (readonly [Kind, TypeFlags])[] = [
  ['anything', TypeFlags.AnyOrUnknown],
  ['string', TypeFlags.StringLike],
  ['number', TypeFlags.NumberLike],
  ['boolean', TypeFlags.BooleanLike],
  ['bigint', TypeFlags.BigIntLike],
  ['null', TypeFlags.Null],
  ['missing', TypeFlags.Undefined],
];
const classes: Readonly<Record<string, Kind>> = {
  Date: 'date',
  Buffer: 'bytes',
  Uint8Array: 'bytes',
  Decimal: 'decimal',
};

/** What the values of a type can be. */
function kindsDeclared(checker: Checker, type: Type): readonly Kind[] {
  if (type.isUnionType()) return type.getTypes().flatMap((each) => kindsDeclared(checker, each));
  const parts = type.isIntersectionType() ? type.getTypes() : [type];
  for (const [kind, flags] of primitives) if (parts.some((part) => (part.flags & flags) !== 0)) return [kind];
  if (!checker.isArrayType(type) && !checker.isTupleType(type))
    return [classes[type.getSymbol()?.name ?? ''] ?? 'json'];
  const entries = checker
    .getTypeArguments(type as TypeReference)
    .flatMap((each) => kindsDeclared(checker, each));
  return entries.filter((kind) => !isEmpty(kind)).map((kind) => `${kind}[]`);
}

function isEmpty(kind: Kind): boolean {
  return kind === 'null' || kind === 'missing';
}

/** Whether a value that was read is one of a declared kind. */
function fits(read: Kind, declared: Kind): boolean {
  if (declared === 'anything' || read === declared) return true;
  if (read === 'json') return !['date', 'bytes', 'bigint', 'decimal'].includes(declared);
  return read.endsWith('[]') && declared.endsWith('[]') && fits(read.slice(0, -2), declared.slice(0, -2));
}

/** Whether a statement compares a column with something, so that it returns no row in which the column is null. */
function excludesNull(text: string, stored: string): boolean {
  const column = stored.replace(/.*\./, '');
  const compared = `\\b${column}\\b( IS NOT NULL|\\)? ?[=<>])|= (\\w+\\.)?${column}\\b|USING \\(.*\\b${column}\\b`;
  return new RegExp(compared).test(text);
}
