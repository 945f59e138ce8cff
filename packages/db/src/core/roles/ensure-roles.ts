import pg from 'pg';
import { type AppName, appNames } from './app-privileges.ts';
import type { RoleNames } from './role-names.ts';
import { scramVerifier } from './scram-verifier.ts';

/** Passwords by app. An app without one keeps its current password. */
export type RolePasswords = Readonly<Partial<Record<AppName, string>>>;

/**
 * `made`: the roles are correct. `found`: all roles exist, but the connected user may not change them. `missing`: some
 * roles do not exist and the connected user may not create them.
 */
export type RolesOutcome = 'made' | 'found' | 'missing';

/** The connected user cannot create or correct the roles. The message says what to do. */
export class RoleError extends Error {
  override readonly name = 'RoleError';
}

/** A role of the service as PostgreSQL has it. */
export interface StoredRole {
  readonly name: string;
  readonly canLogin: boolean;
  /** Whether the role has an attribute that none of the service's roles may have. */
  readonly isPowerful: boolean;
  /** The mark written by `markOf`; null if the role has none. */
  readonly mark: string | null;
  readonly memberOf: readonly string[];
}

const quoted = pg.escapeIdentifier;

/**
 * Creates missing roles, removes attributes, memberships and settings that the service's roles must not have from
 * existing ones, and sets the given passwords. Changes nothing if the connected user may not create roles. Throws
 * RoleError if the names belong to another database of this server.
 */
export async function ensureRoles(
  client: pg.ClientBase,
  names: RoleNames,
  passwords: RolePasswords,
): Promise<RolesOutcome> {
  const wanted = [names.owner, ...appNames.map((app) => names.apps[app])];
  const stored = await readRoles(client, wanted);
  const { isSuperuser, mayCreate, database } = await readSelf(client);
  if (stored.length < wanted.length && !mayCreate) return 'missing';
  const mark = markOf(database);
  for (const { name, mark: found } of stored) {
    if (found !== null && found !== mark) throw new RoleError(foreignRole(name, found));
  }
  if (!mayCreate) return 'found';
  for (const name of wanted) {
    const login = name === names.owner ? 'NOLOGIN' : 'LOGIN';
    const role = stored.find((candidate) => candidate.name === name);
    if (role === undefined) await client.query(`CREATE ROLE ${quoted(name)} ${login}`);
    else await restrict(client, role, login, isSuperuser);
    if (role === undefined || role.mark === null) {
      await client.query(`COMMENT ON ROLE ${quoted(name)} IS ${pg.escapeLiteral(mark)}`);
    }
  }
  await setPasswords(client, names, passwords);
  await joinOwner(client, names, isSuperuser);
  return 'made';
}

/**
 * The statements that create the roles, for an administrator of a database whose migrating user may not create them.
 */
export function roleScript(names: RoleNames, user: string): readonly string[] {
  return [
    `CREATE ROLE ${quoted(names.owner)} NOLOGIN;`,
    ...appNames.map(
      (app) => `CREATE ROLE ${quoted(names.apps[app])} LOGIN; -- then \\password ${names.apps[app]}`,
    ),
    `GRANT ${quoted(names.owner)} TO ${quoted(user)};`,
  ];
}

function markOf(database: string): string {
  return `Plimsoll, database ${database}`;
}

function foreignRole(name: string, mark: string): string {
  return (
    `The role ${name} belongs to another installation on this server (${mark}). ` +
    'Give this one other names with database.role_prefix.'
  );
}

/** The roles of these names that exist. */
export async function readRoles(
  client: pg.ClientBase,
  names: readonly string[],
): Promise<readonly StoredRole[]> {
  const { rows } = await client.query<StoredRole>(
    `SELECT rolname AS name, rolcanlogin AS "canLogin", shobj_description(oid, 'pg_authid') AS mark,
            rolsuper OR rolcreaterole OR rolcreatedb OR rolreplication OR rolbypassrls AS "isPowerful",
            ARRAY(SELECT g.rolname::text FROM pg_auth_members m JOIN pg_roles g ON g.oid = m.roleid
                  WHERE m.member = r.oid) AS "memberOf"
     FROM pg_roles r WHERE rolname = ANY($1)`,
    [names],
  );
  return rows;
}

async function readSelf(client: pg.ClientBase) {
  const { rows } = await client.query<{ isSuperuser: boolean; mayCreate: boolean; database: string }>(
    `SELECT rolsuper AS "isSuperuser", rolsuper OR rolcreaterole AS "mayCreate", current_database() AS database
     FROM pg_roles WHERE rolname = current_user`,
  );
  return rows[0] ?? { isSuperuser: false, mayCreate: false, database: '' };
}

/**
 * Removes attributes, memberships and settings that were added to a role of the service: it may do only what is
 * granted.
 */
async function restrict(
  client: pg.ClientBase,
  { name, canLogin, isPowerful, memberOf }: StoredRole,
  login: 'LOGIN' | 'NOLOGIN',
  isSuperuser: boolean,
): Promise<void> {
  const role = quoted(name);
  if (isPowerful) {
    if (!isSuperuser)
      throw new RoleError(`The role ${name} has attributes that only a superuser can take away.`);
    await client.query(`ALTER ROLE ${role} NOSUPERUSER NOCREATEDB NOCREATEROLE NOREPLICATION NOBYPASSRLS`);
  }
  if (canLogin !== (login === 'LOGIN')) await client.query(`ALTER ROLE ${role} ${login}`);
  for (const group of memberOf) await client.query(`REVOKE ${quoted(group)} FROM ${role} CASCADE`);
  // A role may change its own settings, so anyone who had its password may have changed them.
  const { rows } = await client.query<{ database: string | null }>(
    `SELECT d.datname AS database FROM pg_db_role_setting s LEFT JOIN pg_database d ON d.oid = s.setdatabase
     WHERE s.setrole = (SELECT oid FROM pg_roles WHERE rolname = $1)`,
    [name],
  );
  for (const { database } of rows) {
    await client.query(
      `ALTER ROLE ${role} ${database === null ? '' : `IN DATABASE ${quoted(database)} `}RESET ALL`,
    );
  }
}

async function setPasswords(
  client: pg.ClientBase,
  names: RoleNames,
  passwords: RolePasswords,
): Promise<void> {
  for (const app of appNames) {
    const password = passwords[app];
    if (password === undefined) continue;
    const verifier = pg.escapeLiteral(await verifierOf(app, password));
    await client.query(`ALTER ROLE ${quoted(names.apps[app])} PASSWORD ${verifier}`);
  }
}

async function verifierOf(app: AppName, password: string): Promise<string> {
  try {
    return await scramVerifier(password);
  } catch (error) {
    if (error instanceof RangeError)
      throw new RoleError(`The password for ${app} cannot be used: ${error.message}.`);
    throw error;
  }
}

/** Makes the migrating user a member of the owner role. A superuser can act as the owner without membership. */
async function joinOwner(client: pg.ClientBase, { owner }: RoleNames, isSuperuser: boolean): Promise<void> {
  if (isSuperuser) return;
  const { rows } = await client.query<{ isMember: boolean }>(
    `SELECT EXISTS (SELECT FROM pg_auth_members WHERE roleid = (SELECT oid FROM pg_roles WHERE rolname = $1)
       AND member = (SELECT oid FROM pg_roles WHERE rolname = current_user)
       AND coalesce((to_jsonb(pg_auth_members) ->> 'set_option')::bool, true)
       AND coalesce((to_jsonb(pg_auth_members) ->> 'inherit_option')::bool, true)) AS "isMember"`,
    [owner],
  );
  if (rows[0]?.isMember !== true) await client.query(`GRANT ${quoted(owner)} TO CURRENT_USER`);
}
