import type pg from 'pg';
import { valueParsers } from '../../src/core/value-parsers.ts';
import { anything } from './type-samples.ts';

/** What a value is in JavaScript: a word of `typeof`, `null`, `date`, `bytes`, `decimal`, `json`, `anything`; of arrays `…[]`. */
export type Kind = string;

interface DatabaseType {
  readonly oid: number;
  readonly name: string;
  /** `pg_type.typcategory`. */
  readonly category: string;
  /** Of the entries of an array. */
  readonly element: number;
}

const parsers = valueParsers();

/** What the drivers make of the types of PostgreSQL. */
export class DatabaseTypes {
  readonly #types: ReadonlyMap<number, DatabaseType>;

  private constructor(types: readonly DatabaseType[]) {
    this.#types = new Map(types.map((type) => [type.oid, type]));
  }

  static async read(client: pg.ClientBase): Promise<DatabaseTypes> {
    const { rows } = await client.query<DatabaseType>(
      `SELECT oid::int AS oid, typname AS name, typcategory::text AS category, typelem::int AS element FROM pg_type`,
    );
    return new DatabaseTypes(rows);
  }

  /** What a driver reads values of a type as. */
  kindRead(oid: number, driver: 'pg' | 'prisma'): Kind {
    const type = this.#types.get(oid);
    if (type === undefined || type.name === 'json' || type.name === 'jsonb') return 'json';
    if (driver === 'prisma') {
      if (type.category === 'A') return `${this.kindRead(type.element, driver)}[]`;
      if (type.name === 'int8' || type.name === 'oid') return 'bigint';
      if (type.name === 'numeric') return 'decimal';
    }
    const parse = parsers.getTypeParser(oid) as unknown as (text: string) => unknown; // Declared as that of numbers.
    return kindOf(parse(this.#sample(type)));
  }

  /** A value of a type as the server writes it. */
  #sample({ category, name, element }: DatabaseType): string {
    const entry = this.#types.get(element);
    if (category === 'A' && entry !== undefined) return `{"${this.#sample(entry).replaceAll('\\', '\\\\')}"}`;
    if (name === 'bytea') return '\\x00';
    return { B: 't', N: '1', D: '2026-11-23 19:54:51+00' }[category] ?? 'text';
  }

  /** How the values of a statement differ from its parameters. */
  parameterFaults(values: readonly unknown[], parameters: readonly number[]): readonly string[] {
    if (values.length !== parameters.length)
      return [`takes ${parameters.length} parameters, and gets ${values.length}`];
    return parameters.flatMap((oid, index) => {
      const value = values[index];
      const fault = `$${index + 1} is ${this.#types.get(oid)?.name}, and gets ${kindOf(value)}`;
      return this.#accepts(oid, value) ? [] : [fault];
    });
  }

  /** Whether the drivers send a value in a form that a parameter of a type takes. */
  #accepts(oid: number, value: unknown): boolean {
    const kind = kindOf(value);
    const type = this.#types.get(oid);
    if (type === undefined || kind === 'null' || kind === 'anything') return true;
    if (type.category === 'A' && Array.isArray(value))
      return value.every((each) => this.#accepts(Array.isArray(each) ? oid : type.element, each));
    if (type.name === 'bytea') return kind === 'bytes' || String(value).startsWith('\\x');
    const special = { json: ['json', 'string'], jsonb: ['json', 'string'] }[type.name];
    const accepted = { A: [], B: ['boolean'], N: ['number', 'string'], D: ['date', 'string'] }[type.category];
    return (special ?? accepted ?? ['string']).includes(kind);
  }
}

function kindOf(value: unknown): Kind {
  if (value === null || value === undefined) return 'null';
  if (value === anything) return 'anything';
  if (value instanceof Date) return 'date';
  if (ArrayBuffer.isView(value)) return 'bytes';
  if (Array.isArray(value)) return `${kindOf(value[0] ?? anything)}[]`;
  return typeof value === 'object' || typeof value === 'function' ? 'json' : typeof value;
}
