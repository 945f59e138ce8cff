import { randomUUID } from 'node:crypto';
import path from 'node:path';
import { migrateQueue } from '@plimsoll/queue';
import { onDatabase, testPostgresUrl } from '@plimsoll/testing';
import pg from 'pg';
import {
  type AppName,
  appDatabaseUrl,
  appNames,
  migrateDatabase,
  openDatabase,
  powerWarning,
  type RoleNames,
  readConnectedRole,
  roleNames,
} from '../src/index.ts';
import { makeReplaced } from './stored-schema.ts';

const schemaDir = path.resolve(__dirname, '../../../prisma');
const made: { databases: string[]; prefixes: string[]; users: string[] } = {
  databases: [],
  prefixes: [],
  users: [],
};

/** A database with its own role prefix on the test server. */
interface Installation {
  readonly url: string;
  readonly names: RoleNames;
  readonly passwords: Readonly<Record<AppName, string>>;
}

async function install(): Promise<Installation> {
  const name = `roles_${randomUUID().replaceAll('-', '').slice(0, 12)}`;
  made.databases.push(name);
  made.prefixes.push(name);
  await onDatabase(testPostgresUrl(), (client) => client.query(`CREATE DATABASE ${name}`));
  const url = Object.assign(new URL(testPostgresUrl()), { pathname: `/${name}` }).href;
  const passwords = Object.fromEntries(appNames.map((app) => [app, `secret-of-${app}-${name}`]));
  return { url, names: roleNames(name), passwords: passwords as Record<AppName, string> };
}

const migrate = ({ names, passwords }: Installation, databaseUrl: string) =>
  migrateDatabase({ databaseUrl, schemaDir, roles: names, passwords, alsoMigrate: migrateQueue });

const urlOf = ({ url, names, passwords }: Installation, app: AppName) =>
  appDatabaseUrl(url, names.apps[app], passwords[app]);

/** Adds a user with a password and the given attributes, who owns the database if `ownsDatabase`. */
async function addUser({ url }: Installation, attributes: string, ownsDatabase: boolean): Promise<string> {
  const user = `user_${randomUUID().replaceAll('-', '').slice(0, 12)}`;
  made.users.push(user);
  await onDatabase(url, async (client) => {
    await client.query(`CREATE ROLE ${user} LOGIN PASSWORD 'x' ${attributes}`);
    if (!ownsDatabase) return;
    await client.query(`ALTER DATABASE ${new URL(url).pathname.slice(1)} OWNER TO ${user}`);
  });
  return appDatabaseUrl(url, user, 'x');
}

afterAll(async () => {
  await onDatabase(testPostgresUrl(), async (client) => {
    for (const name of made.databases) await client.query(`DROP DATABASE ${name} WITH (FORCE)`);
    const { rows } = await client.query<{ role: string }>(
      `SELECT rolname AS role FROM pg_roles WHERE rolname ~ ('^(' || $1 || ')_') OR rolname = ANY($2)`,
      [made.prefixes.join('|'), made.users],
    );
    for (const { role } of rows) await client.query(`DROP OWNED BY ${role}`);
    for (const { role } of rows) await client.query(`DROP ROLE ${role}`);
  });
});

const ownersIn = async (url: string) =>
  onDatabase(url, async (client) => {
    const { rows } = await client.query<{ owner: string }>(
      `SELECT DISTINCT pg_get_userbyid(owner) AS owner FROM (
         SELECT relowner AS owner FROM pg_class WHERE relnamespace IN ('public'::regnamespace, 'bullmq'::regnamespace)
         UNION SELECT proowner FROM pg_proc WHERE pronamespace IN ('public'::regnamespace, 'bullmq'::regnamespace)
         UNION SELECT nspowner FROM pg_namespace WHERE nspname IN ('public', 'bullmq')) o`,
    );
    return rows.map(({ owner }) => owner);
  });

describe('a database without roles, which belongs to the superuser', () => {
  it('keeps its rows, belongs to the owner role afterwards, and is open to each app as declared', async () => {
    const installation = await install();
    const { url, names } = installation;
    await makeReplaced(url);
    await migrateQueue(url, null);
    const id = randomUUID();
    await onDatabase(url, (client) =>
      client.query(
        `INSERT INTO hosts (id, onboarding_mode, approval_status, display_name, hostname) VALUES ($1, 'agent', 'approved', 'web', 'web')`,
        [id],
      ),
    );
    const report = await migrate(installation, url);
    expect(report.roles).toBe('made');
    expect(await ownersIn(url)).toEqual([names.owner]);
    await onDatabase(urlOf(installation, 'api'), async (client) => {
      expect((await client.query('SELECT id FROM hosts')).rows).toEqual([{ id }]);
      await client.query('SELECT * FROM bullmq.migration');
    });
  });
});

describe('migrating again', () => {
  it('changes nothing that is correct and removes undeclared privileges', async () => {
    const installation = await install();
    const { url, names } = installation;
    await migrate(installation, url);
    const acl = () =>
      onDatabase(url, async (client) => {
        const { rows } = await client.query(
          `SELECT relname, ARRAY(SELECT unnest(relacl)::text ORDER BY 1) AS relacl, xmin::text FROM pg_class WHERE relnamespace = 'public'::regnamespace ORDER BY 1`,
        );
        return rows;
      });
    const before = await acl();
    await migrate(installation, url);
    expect(await acl()).toEqual(before);

    const worker = names.apps['report-worker'];
    await onDatabase(url, async (client) => {
      await client.query(`GRANT SELECT ON users TO ${worker} WITH GRANT OPTION`);
      await client.query(`GRANT UPDATE (password_hash) ON users TO PUBLIC`);
      await client.query(`GRANT EXECUTE ON FUNCTION drop_audit_events TO PUBLIC`);
      await client.query(`REVOKE INSERT ON snapshots FROM ${worker}`);
      await client.query(`GRANT CREATE ON SCHEMA public TO ${worker}`);
      await client.query(`GRANT TEMPORARY ON DATABASE ${new URL(url).pathname.slice(1)} TO PUBLIC`);
      await client.query(`ALTER ROLE ${worker} CREATEROLE CREATEDB`);
      await client.query(`ALTER ROLE ${worker} SET search_path = 'pg_temp'`);
      await client.query(`GRANT pg_read_server_files, ${names.owner} TO ${worker}`);
    });
    expect(await migrate(installation, url)).toMatchObject({ roles: 'made' });
    expect(await acl()).toMatchObject(before.map(({ relname, relacl }) => ({ relname, relacl })));
    await onDatabase(urlOf(installation, 'report-worker'), async (client) => {
      const { rows } = await client.query(
        `SELECT rolcreaterole OR rolcreatedb AS attributes, rolconfig AS settings,
                pg_has_role('pg_read_server_files', 'MEMBER') OR pg_has_role($1, 'MEMBER') AS member,
                has_schema_privilege('public', 'CREATE') AS create,
                has_database_privilege($2, current_database(), 'TEMPORARY') AS temporary,
                has_function_privilege('drop_audit_events(timestamptz, int)', 'EXECUTE') AS retention
         FROM pg_roles WHERE rolname = current_user`,
        [names.owner, names.apps.cli],
      );
      expect(rows).toEqual([
        {
          attributes: false,
          settings: null,
          member: false,
          create: false,
          temporary: false,
          retention: false,
        },
      ]);
    });
  });

  it('works in several processes at once', async () => {
    const installation = await install();
    const reports = await Promise.all([1, 2, 3].map(() => migrate(installation, installation.url)));
    expect(reports.map(({ roles }) => roles)).toEqual(['made', 'made', 'made']);
  });

  it('refuses names that belong to another database of the server', async () => {
    const [first, second] = [await install(), await install()];
    await migrate(first, first.url);
    const attempt = migrate({ ...second, names: first.names }, second.url);
    await expect(attempt).rejects.toThrow(/database\.role_prefix/);
    await onDatabase(urlOf(first, 'api'), (client) => client.query('SELECT FROM hosts'));
  });
});

describe('a database on another party’s server', () => {
  it('gets its roles from an owner who may create roles and is not a superuser', async () => {
    const installation = await install();
    const url = await addUser(installation, 'CREATEROLE', true);
    expect((await migrate(installation, url)).roles).toBe('made');
    expect((await migrate(installation, url)).roles).toBe('made');
    expect(await ownersIn(installation.url)).toEqual([installation.names.owner]);
    await onDatabase(urlOf(installation, 'scheduler'), (client) => client.query('SELECT FROM hosts'));
    await expect(
      onDatabase(urlOf(installation, 'scheduler'), (client) => client.query('SELECT FROM users')),
    ).rejects.toThrow(/permission denied/);
  });

  it('stays unchanged without roles if its owner may not create any, and reports it', async () => {
    const installation = await install();
    const url = await addUser(installation, '', true);
    expect((await migrate(installation, url)).roles).toBe('missing');
    const user = new URL(url).username;
    expect((await ownersIn(installation.url)).filter((owner) => owner !== user)).toEqual([
      'pg_database_owner',
    ]);
    const db = openDatabase({
      databaseUrl: url,
      poolSize: 1,
      applicationName: 'test',
      onIdleError: () => undefined,
    });
    const role = await readConnectedRole(db).finally(() => db.close());
    expect(role).toEqual({ role: user, power: 'owner' });
    expect(powerWarning(role)).toContain('docs/operations/fleet.md');
  });
});

it('no statement contains a password', async () => {
  const installation = await install();
  const statements: string[] = [];
  const query = pg.Client.prototype.query;
  const spy = jest.spyOn(pg.Client.prototype, 'query').mockImplementation(function spied(
    this: pg.Client,
    ...args: unknown[]
  ): unknown {
    statements.push(JSON.stringify(args[0]));
    return Reflect.apply(query, this, args);
  } as typeof query);
  await migrate(installation, installation.url);
  spy.mockRestore();
  expect(statements.filter((statement) => statement.includes('SCRAM-SHA-256')).length).toBe(appNames.length);
  expect(statements.filter((statement) => statement.includes('secret-of-'))).toEqual([]);
});
