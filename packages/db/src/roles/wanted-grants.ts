import { type AppName, type AppPrivileges, appNames, appPrivileges } from './app-privileges.ts';
import type { RoleNames } from './role-names.ts';

/** One privilege of one role on one thing. Two are the same if their `grantKey` is. */
export interface Grant {
  readonly role: string;
  readonly privilege: string;
  readonly kind: 'table' | 'sequence' | 'function' | 'schema';
  /** As SQL names it: `public.hosts`, `public.notify_change(text, jsonb, integer)`, `bullmq`. */
  readonly target: string;
  /** Only of a table; null is all of it. */
  readonly column: string | null;
}

/** A table, view, sequence or function that is there. */
export interface SchemaObject {
  readonly schema: string;
  readonly name: string;
  readonly kind: 'table' | 'sequence' | 'function';
  /** As SQL names it. */
  readonly target: string;
  /** Of a sequence: the table whose column it numbers. */
  readonly table: string | null;
}

/** The schema of the queue's tables, where the queue is in PostgreSQL. */
export const queueSchema = 'bullmq';

/** A privilege on a column, or on all of a table where the column is null. */
export type Privilege = Pick<Grant, 'privilege' | 'column'>;

/** What an entry of `appPrivileges` says. */
export function readPrivileges(text: string): readonly Privilege[] {
  return [...text.matchAll(/([A-Z]+)(?:\s*\(([^)]*)\))?/g)].flatMap(
    ([, privilege = '', columns]): readonly Privilege[] =>
      columns === undefined
        ? [{ privilege, column: null }]
        : columns.split(',').map((column) => ({ privilege, column: column.trim() })),
  );
}

/**
 * Everything that the roles are to hold on `objects`. What `appPrivileges` names and is not there is left out: an older
 * database lacks it until it is migrated. MAINTAIN is left out for servers before 17, which do not know it.
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

/** One text per grant, for sets. */
export function grantKey({ role, privilege, kind, target, column }: Grant): string {
  return JSON.stringify([role, privilege, kind, target, column]);
}

/** Tables and views of the schema `public` that no app has an entry for. */
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

/** The queue is a bell that every app rings and hears: whoever can write to it can ring, and delay what others ring. */
const onQueue = { table: 'SELECT, INSERT, UPDATE, DELETE', sequence: 'USAGE', function: 'EXECUTE' } as const;
