/** Values of columns, by their types in PostgreSQL. */
interface Values {
  readonly uuid: string;
  readonly text: string;
  readonly bool: boolean;
  readonly int: number;
  readonly float8: number;
  readonly bigint: string | bigint;
  readonly timestamptz: Date;
  readonly bytea: Uint8Array;
  /** A value to be written as JSON, or its text. */
  readonly jsonb: object | string;
  readonly 'int[]': readonly number[];
  readonly 'text[]': readonly string[];
}

type Row<Columns extends string> = Columns extends `${infer Column},${infer Others}`
  ? Field<Trimmed<Column>> & Row<Others>
  : Field<Trimmed<Columns>>;
type Trimmed<Text extends string> = Text extends `${' ' | '\n'}${infer Others}` ? Trimmed<Others> : Text;
type Field<Column extends string> = Column extends `${infer Name} ${infer Type}`
  ? { readonly [Key in FieldName<Name>]: Value<Type> }
  : never;
type FieldName<Name extends string> = Name extends `${infer First}_${infer Others}`
  ? `${First}${Capitalize<FieldName<Others>>}`
  : Name;
type Value<Type extends string> = Type extends `${infer Known}?`
  ? Value<Known> | null
  : Type extends keyof Values
    ? Values[Type]
    : never;

/** Rows that a statement takes as parameters. */
export interface RowTable {
  /** SQL: the rows, in their order, for a FROM, which gives them an alias. */
  readonly table: string;
  /** SQL: the names of the columns. */
  readonly columns: string;
  /** The parameters, one array per column. */
  readonly values: unknown[];
}

/**
 * Makes rows a table of a statement. Of rows that are made for it, spread objects come last: before other fields they take
 * V8 ten times as long.
 * @param columns names and types: `'host_id uuid, valid_until timestamptz?'`, where `?` allows null. Rows have the fields `hostId`
 *   and `validUntil`; others are ignored.
 * @param first the number of the first parameter.
 */
export function rowTable<const Columns extends string>(
  columns: Columns,
  rows: readonly Row<Columns>[],
  first = 1,
): RowTable {
  const list = columnsIn(columns);
  const names = list.map(({ name }) => name).join(', ');
  // unnest flattens arrays of arrays, so lists are sent as texts.
  const arrays = list.map(({ type, isList }, n) => `$${first + n}::${isList ? 'text' : type}[]`);
  const read = list.map(({ name, type, isList }) => (isList ? `${name}::${type}` : name));
  return {
    table: `(SELECT ${read.join(', ')} FROM unnest(${arrays.join(', ')}) AS n (${names}))`,
    columns: names,
    values: list.map(({ field, type, isList }) => {
      const values = (rows as readonly Readonly<Record<string, unknown>>[]).map((row) => row[field]);
      return isList ? values.map(arrayText) : type === 'jsonb' ? values.map(jsonText) : values;
    }),
  };
}

interface Column {
  readonly name: string;
  /** Of rows. */
  readonly field: string;
  readonly type: string;
  readonly isList: boolean;
}

/** The columns that a text for `rowTable` declares. */
export function columnsIn(columns: string): readonly Column[] {
  return columns.split(',').map((column) => {
    const [name = '', type = ''] = column.trim().replace('?', '').split(' ');
    const field = name.replace(/_(.)/g, (_, letter: string) => letter.toUpperCase());
    return { name, field, type, isList: type.endsWith('[]') };
  });
}

/** PostgreSQL's text of an array of numbers or texts: section 8.15.6 of its manual. */
function arrayText(list: unknown): unknown {
  const entryText = (entry: unknown) =>
    typeof entry === 'string' ? `"${entry.replaceAll(/["\\]/g, '\\$&')}"` : String(entry);
  return Array.isArray(list) ? `{${list.map(entryText).join()}}` : list;
}

function jsonText(value: unknown): unknown {
  return typeof value === 'object' && value !== null ? JSON.stringify(value) : value;
}
