import type { Database } from '../database.ts';

/** The role under which an app is connected. */
export interface ConnectedRole {
  readonly role: string;
  /**
   * `superuser`: may do anything on the server; `owner`: anything in this database; `limited`: only what was granted.
   */
  readonly power: 'superuser' | 'owner' | 'limited';
}

/** The role of a pool's connections. A database without tables has no owner yet. */
export async function readConnectedRole({ pool }: Database): Promise<ConnectedRole> {
  const { rows } = await pool.query<ConnectedRole>(
    `SELECT current_user AS role, CASE
       WHEN (SELECT rolsuper FROM pg_roles WHERE rolname = current_user) THEN 'superuser'
       WHEN (SELECT pg_has_role(relowner, 'MEMBER') FROM pg_class WHERE oid = to_regclass('public.hosts')) THEN 'owner'
       ELSE 'limited' END AS power`,
  );
  return rows[0] ?? { role: '', power: 'limited' };
}

/** A log message for an app with more privileges than it needs; null for `limited`. */
export function powerWarning({ role, power }: ConnectedRole): string | null {
  if (power === 'limited') return null;
  const might = power === 'superuser' ? 'is a superuser' : 'owns the tables';
  return (
    `the database role ${role} ${might}: anyone with this app's database URL can change everything. ` +
    'Give the app the URL of its own role ("plimsoll migrate" makes one for each app; docs/operations/fleet.md)'
  );
}
