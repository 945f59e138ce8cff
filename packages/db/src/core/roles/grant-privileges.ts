import pg from 'pg';
import { appNames, appPrivileges } from './app-privileges.ts';
import type { RoleNames } from './role-names.ts';
import { everybody, readGrants, readObjects } from './stored-grants.ts';
import { type Grant, grantKey, wantedGrants } from './wanted-grants.ts';

/** The changes that gave every role exactly its declared privileges. */
export interface ChangedGrants {
  readonly granted: number;
  readonly revoked: number;
}

const quoted = pg.escapeIdentifier;

/**
 * Grants what `appPrivileges` declares, and revokes all other privileges of the apps' roles and of PUBLIC on the
 * tables, sequences and functions of the service. Runs in a transaction, as a member of the role that owns them. Leaves
 * grants of other roles alone.
 */
export async function grantPrivileges(client: pg.ClientBase, names: RoleNames): Promise<ChangedGrants> {
  const { missing, excess } = await compareGrants(client, names);
  for (const grant of excess)
    await client.query(`REVOKE ${described(grant)} FROM ${quotedRole(grant.role)} CASCADE`);
  for (const statement of grantStatements(missing)) await client.query(statement);
  await client.query(
    `ALTER DEFAULT PRIVILEGES FOR ROLE ${quoted(names.owner)} REVOKE EXECUTE ON ROUTINES FROM PUBLIC`,
  );
  return { granted: missing.length, revoked: excess.length };
}

/** The grants that roles lack, and those that are not declared in `appPrivileges`. */
export async function compareGrants(
  client: pg.ClientBase,
  names: RoleNames,
): Promise<{ readonly missing: readonly Grant[]; readonly excess: readonly Grant[] }> {
  const objects = await readObjects(client);
  const wanted = wantedGrants(names, objects, await serverMajor(client));
  const keys = new Set(wanted.map(grantKey));
  const stored = await readGrants(client, Object.values(names.apps));
  const isKept = (grant: (typeof stored)[number]) => keys.has(grantKey(grant)) && !grant.grantable;
  const kept = new Set(stored.filter(isKept).map(grantKey));
  return {
    missing: wanted.filter((grant) => !kept.has(grantKey(grant))),
    excess: stored.filter((grant) => !isKept(grant)),
  };
}

/**
 * Sets the privileges on the database itself: the owner creates schemas, apps connect, and apps that need them create
 * temporary tables. PUBLIC keeps CONNECT, which other roles may rely on, and loses PostgreSQL's other defaults. Runs as
 * the owner of the database or a superuser. Repeat it for copies of a database, because PostgreSQL does not copy these
 * grants.
 */
export async function grantDatabase(client: pg.ClientBase, names: RoleNames): Promise<void> {
  const { rows } = await client.query<{ name: string }>('SELECT current_database() AS name');
  const database = quoted(rows[0]?.name ?? '');
  const statements = [
    `REVOKE CREATE, TEMPORARY ON DATABASE ${database} FROM PUBLIC`,
    `GRANT CONNECT, CREATE, TEMPORARY ON DATABASE ${database} TO ${quoted(names.owner)}`,
    ...appNames.flatMap((app) => {
      const role = quoted(names.apps[app]);
      // Adding jobs in bulk uses a temporary table.
      const { queue, temporary } = appPrivileges[app];
      const rights = queue || temporary ? 'CONNECT, TEMPORARY' : 'CONNECT';
      return [
        `REVOKE ALL ON DATABASE ${database} FROM ${role}`,
        `GRANT ${rights} ON DATABASE ${database} TO ${role}`,
      ];
    }),
  ];
  for (const statement of statements) await client.query(statement);
}

/**
 * Revokes the functions that create large objects from PUBLIC. Large objects belong to no table, so any connected role
 * could fill the disk with them. Only a superuser can revoke these; returns false for other users.
 */
export async function closeLargeObjects(client: pg.ClientBase): Promise<boolean> {
  const { rows } = await client.query<{ isSuperuser: boolean }>(
    `SELECT rolsuper AS "isSuperuser" FROM pg_roles WHERE rolname = current_user`,
  );
  if (rows[0]?.isSuperuser !== true) return false;
  const { rows: open } = await client.query<{ routine: string }>(
    `SELECT format('pg_catalog.%I(%s)', proname, pg_get_function_identity_arguments(oid)) AS routine
     FROM pg_proc WHERE pronamespace = 'pg_catalog'::regnamespace
       AND (proname LIKE 'lo\\_%' OR proname IN ('loread', 'lowrite'))
       AND EXISTS (SELECT FROM aclexplode(coalesce(proacl, acldefault('f', proowner))) a WHERE a.grantee = 0)`,
  );
  for (const { routine } of open) await client.query(`REVOKE EXECUTE ON ROUTINE ${routine} FROM PUBLIC`);
  return true;
}

/** One statement per role and object. */
function grantStatements(grants: readonly Grant[]): readonly string[] {
  const together = new Map<string, { on: string; rights: string[] }>();
  for (const grant of grants) {
    const on = `ON ${kindWord[grant.kind]} ${target(grant)} TO ${quotedRole(grant.role)}`;
    const entry = together.get(on) ?? { on, rights: [] };
    together.set(on, entry);
    entry.rights.push(right(grant));
  }
  return [...together.values()].map(({ on, rights }) => `GRANT ${rights.join(', ')} ${on}`);
}

const kindWord = { table: 'TABLE', sequence: 'SEQUENCE', function: 'ROUTINE', schema: 'SCHEMA' } as const;

function described(grant: Grant): string {
  return `${right(grant)} ON ${kindWord[grant.kind]} ${target(grant)}`;
}

function right({ privilege, column }: Grant): string {
  return column === null ? privilege : `${privilege} (${quoted(column)})`;
}

/** PostgreSQL returns the names of tables and functions already quoted. */
function target({ kind, target: name }: Grant): string {
  return kind === 'schema' ? quoted(name) : name;
}

function quotedRole(role: string): string {
  return role === everybody ? everybody : quoted(role);
}

async function serverMajor(client: pg.ClientBase): Promise<number> {
  const { rows } = await client.query<{ num: number }>(
    `SELECT current_setting('server_version_num')::int AS num`,
  );
  return Math.floor((rows[0]?.num ?? 0) / 10_000);
}
