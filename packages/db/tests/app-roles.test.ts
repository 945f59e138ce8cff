import { serviceApps } from '@plimsoll/model';
import { databasePerFile, onDatabase, testRoles } from '@plimsoll/testing';
import pg from 'pg';
import { type AppName, appNames, appPrivileges } from '../src/core/roles/app-privileges.ts';
import { readObjects } from '../src/core/roles/stored-grants.ts';
import { readPrivileges, type SchemaObject, undeclaredTables } from '../src/core/roles/wanted-grants.ts';

const database = databasePerFile();
let objects: readonly SchemaObject[];
beforeAll(async () => {
  objects = await onDatabase(database.url, readObjects);
});

/** The SQLSTATE with which a statement fails in a transaction that is rolled back; `done` if it does not fail. */
async function attempt(client: pg.Client, statement: string): Promise<string> {
  await client.query('BEGIN');
  try {
    await client.query(statement);
    return 'done';
  } catch (error) {
    return error instanceof pg.DatabaseError ? (error.code ?? '') : String(error);
  } finally {
    await client.query('ROLLBACK');
  }
}

const refused = '42501';
/** Writes to a read-only view fail before PostgreSQL checks privileges. */
const unwritable = new Set(['55000', '42809']);

/** Connects as an app, with its URL only. */
const withUrlOf = <T>(app: AppName, work: (client: pg.Client) => Promise<T>) =>
  onDatabase(database.urlOf(app), work);

async function columnsOf(table: string): Promise<readonly string[]> {
  const { rows } = await database.db.pool.query<{ name: string }>(
    `SELECT attname AS name FROM pg_attribute WHERE attrelid = to_regclass($1) AND attnum > 0 AND NOT attisdropped`,
    [`public.${table}`],
  );
  return rows.map(({ name }) => name);
}

describe('the declaration of what apps may do', () => {
  it('has an entry for every table: add a new table to app-privileges.ts for each app that uses it', () => {
    const unused = ['_prisma_migrations'];
    expect(undeclaredTables(objects).filter((table) => !unused.includes(table))).toEqual([]);
  });

  it('has every function except triggers: add a new one for each app that calls it or writes its index', async () => {
    const { rows } = await database.db.pool.query<{ name: string }>(
      `SELECT proname AS name FROM pg_proc WHERE pronamespace = 'public'::regnamespace AND prorettype <> 'trigger'::regtype`,
    );
    const declared = appNames.flatMap((app) => appPrivileges[app].functions);
    expect(rows.map(({ name }) => name).filter((name) => !declared.includes(name))).toEqual([]);
  });

  it('names only existing tables, columns and functions', async () => {
    const names = new Set(objects.filter(({ schema }) => schema === 'public').map(({ name }) => name));
    for (const app of appNames) {
      const { tables, functions } = appPrivileges[app];
      expect([...Object.keys(tables), ...functions].filter((name) => !names.has(name))).toEqual([]);
      for (const [table, text] of Object.entries(tables)) {
        const columns = await columnsOf(table);
        const unknown = readPrivileges(text).filter(
          ({ column }) => column !== null && !columns.includes(column),
        );
        expect({ app, table, unknown }).toEqual({ app, table, unknown: [] });
      }
    }
  });

  it('keeps secrets from workers', () => {
    const secret = [
      'users',
      'sessions',
      'invitations',
      'rate_limits',
      'registration_tokens',
      'enrolments',
      'host_access_tokens',
    ];
    const keys = ['ssh_key_pairs', 'collectors', 'audit_events'];
    const tablesOf = (app: AppName) => Object.keys(appPrivileges[app].tables);
    for (const app of serviceApps.filter((name) => name !== 'api' && name !== 'ssh-worker')) {
      expect(tablesOf(app).filter((table) => [...secret, ...keys].includes(table))).toEqual(
        app === 'scheduler' ? ['audit_events'] : app === 'notify-worker' ? ['users'] : [],
      );
    }
    // Reports by mail need the rights of who made them.
    expect(readPrivileges(appPrivileges['notify-worker'].tables['users'] ?? '')).toEqual(
      ['id', 'email', 'role', 'is_limited', 'tags', 'disabled_at', 'access_withdrawn_at'].map((column) => ({
        privilege: 'SELECT',
        column,
      })),
    );
    expect(tablesOf('ssh-worker').filter((table) => secret.includes(table))).toEqual([]);
    expect(readPrivileges(appPrivileges.api.tables['ssh_key_pairs'] ?? '')).not.toContainEqual({
      privilege: 'SELECT',
      column: 'sealed',
    });
  });
});

describe.each(appNames)("with the database URL of '%s'", (app) => {
  it('every undeclared privilege on every table is refused', async () => {
    const relations = objects.filter(({ kind }) => kind === 'table');
    const found: string[] = [];
    const expected: string[] = [];
    await withUrlOf(app, async (client) => {
      for (const { schema, name, target } of relations) {
        const isQueue = schema === 'bullmq';
        const text = appPrivileges[app].tables[name] ?? '';
        const declared = new Set(
          isQueue
            ? appPrivileges[app].queue
              ? ['SELECT', 'INSERT', 'UPDATE', 'DELETE']
              : []
            : readPrivileges(text).map(({ privilege }) => privilege),
        );
        for (const [privilege, statement] of attemptsOn(target)) {
          if (declared.has(privilege)) continue;
          expected.push(`${privilege} ${target}: ${refused}`);
          const state = await attempt(client, statement);
          found.push(`${privilege} ${target}: ${unwritable.has(state) ? refused : state}`);
        }
      }
    });
    expect(found).toEqual(expected);
    expect(found.length).toBeGreaterThan(relations.length);
  });

  it('every undeclared column is refused', async () => {
    for (const [table, text] of Object.entries(appPrivileges[app].tables)) {
      const declared = readPrivileges(text);
      const columns = await columnsOf(table);
      for (const privilege of ['SELECT', 'INSERT', 'UPDATE']) {
        const ofIt = declared.filter((entry) => entry.privilege === privilege);
        if (ofIt.some(({ column }) => column === null)) continue;
        const held = await withUrlOf(app, async (client) => {
          const { rows } = await client.query<{ name: string }>(
            `SELECT name FROM unnest($1::text[]) AS name WHERE has_column_privilege($2, name, $3)`,
            [columns, `public.${table}`, privilege],
          );
          return rows.map(({ name }) => name).sort();
        });
        const wanted = [...new Set(ofIt.map(({ column }) => column))].sort();
        expect({ table, privilege, held }).toEqual({ table, privilege, held: wanted });
      }
    }
  });

  it.each([
    ['a program on the server', `COPY (SELECT 1) TO PROGRAM 'id'`],
    ['a file of the server, written', `COPY (SELECT 1) TO '/tmp/plimsoll-attack'`],
    ['a file of the server', `SELECT pg_read_file('/etc/hostname')`],
    ['a folder of the server', `SELECT pg_ls_dir('.')`],
    ['the passwords of roles', 'SELECT rolpassword FROM pg_authid'],
    ['a role', 'CREATE ROLE attacker SUPERUSER LOGIN'],
    ['a schema', 'CREATE SCHEMA attacker'],
    ['a table', 'CREATE TABLE public.attacker (x int)'],
    ['a function', `CREATE FUNCTION public.attacker() RETURNS int LANGUAGE sql AS 'SELECT 1'`],
    ['an extension', 'CREATE EXTENSION dblink'],
    ['another table', 'ALTER TABLE public.hosts ADD COLUMN attacker int'],
    ['a trigger', 'ALTER TABLE public.users DISABLE TRIGGER ALL'],
    ['a table gone', 'DROP TABLE public.audit_events'],
    ['its own attributes', 'ALTER ROLE CURRENT_USER SUPERUSER'],
    ["the owner's attributes", `ALTER ROLE ${testRoles.owner} LOGIN`],
    ['to be the owner', `SET ROLE ${testRoles.owner}`],
    ['to be a superuser', 'SET SESSION AUTHORIZATION plimsoll'],
    ["another app's password", `ALTER ROLE ${testRoles.apps[app === 'api' ? 'cli' : 'api']} PASSWORD 'x'`],
    ["another app's rights", `GRANT ${testRoles.apps[app === 'api' ? 'cli' : 'api']} TO CURRENT_USER`],
    ['a large object', 'SELECT lo_create(0)'],
    ['a large object with bytes', `SELECT lo_from_bytea(0, 'x')`],
    ['no triggers', 'SET session_replication_role = replica'],
    ['audit events changed', `UPDATE audit_events SET details = '{}'`],
    ['audit events gone', 'DELETE FROM audit_events'],
    ['all audit events gone', 'TRUNCATE audit_events'],
    ['another end of the chain of audit events', 'UPDATE audit_chain SET head_position = 0'],
    ['an audit event with a hash', `INSERT INTO audit_events (id, position) VALUES (gen_random_uuid(), 1)`],
    [
      'an audit event of another time',
      `INSERT INTO audit_events (id, at) VALUES (gen_random_uuid(), '2020-01-01')`,
    ],
    ...(appPrivileges[app].queue ? [] : [['a temporary table', 'CREATE TEMP TABLE attacker (x int)']]),
  ])('it gets no %s', async (_what, statement = '') => {
    expect(await withUrlOf(app, (client) => attempt(client, statement))).toBe(refused);
  });
});

describe('what no transaction takes', () => {
  it.each(appNames)("is refused to '%s'", async (app) => {
    const told: unknown[] = [];
    await withUrlOf(app, async (client) => {
      for (const statement of [
        'CREATE DATABASE attacker',
        "ALTER SYSTEM SET log_statement = 'none'",
        'VACUUM users',
      ]) {
        await client.query(statement).then(
          ({ command }) => told.push(command),
          (error: unknown) => told.push(error instanceof pg.DatabaseError ? error.code : String(error)),
        );
      }
    });
    // VACUUM skips tables of other owners with a warning.
    expect(told).toEqual([refused, refused, 'VACUUM']);
  });
});

describe('retention', () => {
  it('drops old audit events but never those of the last day, whatever time the caller passes', async () => {
    const { pool } = database.db;
    await pool.query(
      `INSERT INTO audit_events (id, at, action, actor_kind, actor_name, details)
       SELECT gen_random_uuid(), now() - n * interval '13 hours', 'user.login', 'system', 'test', '{}' FROM generate_series(0, 3) n`,
    );
    const dropped = await withUrlOf('scheduler', async (client) => {
      await client.query('SELECT seal_audit_events(1000)');
      const { rows } = await client.query(
        `SELECT drop_audit_events(now() + interval '1 year', 1000)::int AS n`,
      );
      return rows[0]?.n;
    });
    expect(dropped).toBe(2);
    const { rows } = await pool.query('SELECT action FROM audit_events ORDER BY at');
    expect(rows.map(({ action }) => action)).toEqual(['user.login', 'user.login', 'audit.dropped']);
    for (const app of appNames.filter((name) => name !== 'scheduler')) {
      for (const statement of ['SELECT drop_audit_events(now(), 1)', 'SELECT seal_audit_events(1)']) {
        const told = await withUrlOf(app, (client) => attempt(client, statement));
        expect({ app, statement, told }).toEqual({ app, statement, told: refused });
      }
    }
  });
});

/** One statement per privilege. Without the privilege, it fails before anything else is checked. */
function attemptsOn(target: string): readonly (readonly [string, string])[] {
  return [
    ['SELECT', `SELECT FROM ${target} LIMIT 0`],
    ['INSERT', `INSERT INTO ${target} DEFAULT VALUES`],
    ['DELETE', `DELETE FROM ${target} WHERE false`],
    ['TRUNCATE', `TRUNCATE ${target}`],
  ];
}
