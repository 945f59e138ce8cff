import { type AppName, appNames, appPrivileges } from './app-privileges.ts';
import type { AppPrivileges } from './privileges.ts';
import type { RoleNames } from './role-names.ts';

/** One privilege of one role on one object. Two grants are the same if their `grantKey` is equal. */
export interface Grant {
  readonly role: string;
  readonly privilege: string;
  readonly kind: 'table' | 'sequence' | 'function' | 'schema';
  /** In SQL syntax: `public.hosts`, `public.notify_change(text, jsonb, integer)`, `bullmq`. */
  readonly target: string;
  /** A column of a table; null for the whole object. */
  readonly column: string | null;
}

/** An existing table, view, sequence or function. */
export interface SchemaObject {
  readonly schema: string;
  readonly name: string;
  readonly kind: 'table' | 'sequence' | 'function';
  /** In SQL syntax. */
  readonly target: string;
  /** For a sequence: the table whose column it numbers. */
  readonly table: string | null;
}

/** The schema of the queue's tables if the queue is in PostgreSQL. */
export const queueSchema = 'bullmq';

/** A privilege on a column, or on a whole table if the column is null. */
export type Privilege = Pick<Grant, 'privilege' | 'column'>;

/** Parses an entry of `appPrivileges`. */
export function readPrivileges(text: string): readonly Privilege[] {
  return [...text.matchAll(/([A-Z]+)(?:\s*\(([^)]*)\))?/g)].flatMap(
    ([, privilege = '', columns]): readonly Privilege[] =>
      columns === undefined
        ? [{ privilege, column: null }]
        : columns.split(',').map((column) => ({ privilege, column: column.trim() })),
  );
}

/**
 * All grants that the roles need on `objects`. Leaves out objects in `appPrivileges` that do not exist, because an
 * older database lacks them until it is migrated. Leaves out MAINTAIN on servers before version 17, which do not
 * support it.
 */
export function wantedGrants(
  names: RoleNames,
  objects: readonly SchemaObject[],
  serverMajor: number,
): readonly Grant[] {
  return appNames
    .flatMap((app) => grantsOf(names.apps[app], appPrivileges[app], objects))
    .filter(({ privilege }) => privilege !== 'MAINTAIN' || serverMajor >= 17);
}

/** A text that is unique per grant. */
export function grantKey({ role, privilege, kind, target, column }: Grant): string {
  return JSON.stringify([role, privilege, kind, target, column]);
}

/** Tables and views of the schema `public` without an entry for any app. */
export function undeclaredTables(objects: readonly SchemaObject[]): readonly string[] {
  const declared = new Set(appNames.flatMap((app: AppName) => Object.keys(appPrivileges[app].tables)));
  return objects
    .filter(({ schema, kind, name }) => schema === 'public' && kind === 'table' && !declared.has(name))
    .map(({ name }) => name);
}

function grantsOf(role: string, app: AppPrivileges, objects: readonly SchemaObject[]): readonly Grant[] {
  const schemas = new Set(objects.map(({ schema }) => schema));
  const usable = ['public', ...(app.queue ? [queueSchema] : [])].filter((schema) => schemas.has(schema));
  return [
    ...usable.map((target): Grant => ({ role, privilege: 'USAGE', kind: 'schema', target, column: null })),
    ...objects.flatMap((object) =>
      privilegesOn(app, object).map(
        ({ privilege, column }): Grant => ({
          role,
          privilege,
          kind: object.kind,
          target: object.target,
          column,
        }),
      ),
    ),
  ];
}

function privilegesOn(app: AppPrivileges, object: SchemaObject): readonly Privilege[] {
  const { schema, kind, name, table } = object;
  if (schema === queueSchema) return app.queue ? readPrivileges(onQueue[kind]) : [];
  switch (kind) {
    case 'table':
      return readPrivileges(app.tables[name] ?? '');
    case 'function':
      return app.functions.includes(name) ? [{ privilege: 'EXECUTE', column: null }] : [];
    case 'sequence':
      return readPrivileges(app.tables[table ?? ''] ?? '').some(({ privilege }) => privilege === 'INSERT')
        ? [{ privilege: 'USAGE', column: null }]
        : [];
    default:
      return kind satisfies never;
  }
}

/**
 * Every app adds and consumes jobs, so write access to the queue allows an app to ring and to delay other apps' jobs.
 */
const onQueue = { table: 'SELECT, INSERT, UPDATE, DELETE', sequence: 'USAGE', function: 'EXECUTE' } as const;
