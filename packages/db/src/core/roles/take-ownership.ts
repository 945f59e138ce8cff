import pg from 'pg';
import type { RoleNames } from './role-names.ts';

const quoted = pg.escapeIdentifier;

/**
 * Transfers the schemas `public` and `bullmq` and the objects in them to the owner role, for databases that are older
 * than this role. Leaves objects of extensions with their owners. Locks each object briefly, so it waits for a running
 * service. Runs in a transaction, as the owner of these objects or a superuser; copies and deletes nothing.
 * @returns the number of transferred objects.
 */
export async function takeOwnership(client: pg.ClientBase, { owner }: RoleNames): Promise<number> {
  const { rows } = await client.query<{ step: number; statement: string }>(
    `WITH ours AS (SELECT oid, nspname, nspowner FROM pg_namespace WHERE nspname IN ('public', 'bullmq')),
          heir AS (SELECT oid FROM pg_roles WHERE rolname = $1)
     SELECT 1 AS step, format('SCHEMA %I', nspname) AS statement FROM ours WHERE nspowner <> (SELECT oid FROM heir)
     UNION ALL
     SELECT 2, format('%s %I.%I', CASE c.relkind WHEN 'v' THEN 'VIEW' WHEN 'm' THEN 'MATERIALIZED VIEW'
                                  WHEN 'S' THEN 'SEQUENCE' ELSE 'TABLE' END, n.nspname, c.relname)
     FROM pg_class c JOIN ours n ON n.oid = c.relnamespace
     WHERE c.relkind IN ('r', 'p', 'v', 'm', 'S') AND c.relowner <> (SELECT oid FROM heir)
       AND NOT EXISTS (SELECT FROM pg_depend d WHERE d.classid = 'pg_class'::regclass AND d.objid = c.oid
                         AND d.deptype IN ('e', CASE c.relkind WHEN 'S' THEN 'a' ELSE 'e' END, CASE c.relkind WHEN 'S' THEN 'i' ELSE 'e' END))
     UNION ALL
     SELECT 2, format('ROUTINE %I.%I(%s)', n.nspname, p.proname, pg_get_function_identity_arguments(p.oid))
     FROM pg_proc p JOIN ours n ON n.oid = p.pronamespace
     WHERE p.prokind IN ('f', 'p') AND p.proowner <> (SELECT oid FROM heir)
       AND NOT EXISTS (SELECT FROM pg_depend d WHERE d.classid = 'pg_proc'::regclass AND d.objid = p.oid AND d.deptype = 'e')
     UNION ALL
     SELECT 2, format('TYPE %I.%I', n.nspname, t.typname)
     FROM pg_type t JOIN ours n ON n.oid = t.typnamespace
     WHERE t.typtype IN ('e', 'd', 'r') AND t.typowner <> (SELECT oid FROM heir)
       AND NOT EXISTS (SELECT FROM pg_depend d WHERE d.classid = 'pg_type'::regclass AND d.objid = t.oid AND d.deptype = 'e')
     ORDER BY 1, 2`,
    [owner],
  );
  for (const { statement } of rows) await client.query(`ALTER ${statement} OWNER TO ${quoted(owner)}`);
  return rows.length;
}
