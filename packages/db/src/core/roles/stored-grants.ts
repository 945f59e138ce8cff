import type pg from 'pg';
import { type Grant, queueSchema, type SchemaObject } from './wanted-grants.ts';

/** The schemas whose grants the service controls. */
const schemas = ['public', queueSchema];

/** The role name for all roles in GRANT and REVOKE. */
export const everybody = 'PUBLIC';

/** A grant as stored in PostgreSQL's catalogs. */
export interface StoredGrant extends Grant {
  /** Whether the role may grant it to others; must be false for the service's roles. */
  readonly grantable: boolean;
}

/** Every table, view, sequence and function of the schemas, by name. */
export async function readObjects(client: pg.ClientBase): Promise<readonly SchemaObject[]> {
  const { rows } = await client.query<SchemaObject>(
    `SELECT n.nspname AS schema, c.relname AS name, CASE c.relkind WHEN 'S' THEN 'sequence' ELSE 'table' END AS kind,
            format('%I.%I', n.nspname, c.relname) AS target, t.relname AS table
     FROM pg_class c JOIN pg_namespace n ON n.oid = c.relnamespace
     LEFT JOIN pg_depend d ON c.relkind = 'S' AND d.classid = 'pg_class'::regclass AND d.objid = c.oid
       AND d.refclassid = 'pg_class'::regclass AND d.deptype IN ('a', 'i')
     LEFT JOIN pg_class t ON t.oid = d.refobjid
     WHERE n.nspname = ANY($1) AND c.relkind IN ('r', 'p', 'v', 'm', 'f', 'S')
     UNION ALL
     SELECT n.nspname, p.proname, 'function',
            format('%I.%I(%s)', n.nspname, p.proname, pg_get_function_identity_arguments(p.oid)), NULL
     FROM pg_proc p JOIN pg_namespace n ON n.oid = p.pronamespace
     WHERE n.nspname = ANY($1) AND p.prokind IN ('f', 'p')
     ORDER BY 1, 2, 4`,
    [schemas],
  );
  return rows;
}

/**
 * The privileges of `roles` and PUBLIC on the schemas and the objects in them. Leaves out PUBLIC's default USAGE on the
 * schema `public`: it opens no object, and other roles may rely on it.
 */
export async function readGrants(
  client: pg.ClientBase,
  roles: readonly string[],
): Promise<readonly StoredGrant[]> {
  const { rows } = await client.query<StoredGrant>(
    `SELECT coalesce(r.rolname, '${everybody}') AS role, g.privilege_type AS privilege, held.kind, held.target,
            held.column, g.is_grantable AS grantable
     FROM (
       SELECT CASE c.relkind WHEN 'S' THEN 'sequence' ELSE 'table' END AS kind,
              format('%I.%I', n.nspname, c.relname) AS target, NULL AS column, c.relacl AS acl
       FROM pg_class c JOIN pg_namespace n ON n.oid = c.relnamespace
       WHERE n.nspname = ANY($1) AND c.relkind IN ('r', 'p', 'v', 'm', 'f', 'S')
       UNION ALL
       SELECT 'table', format('%I.%I', n.nspname, c.relname), a.attname, a.attacl
       FROM pg_attribute a JOIN pg_class c ON c.oid = a.attrelid JOIN pg_namespace n ON n.oid = c.relnamespace
       WHERE n.nspname = ANY($1) AND a.attacl IS NOT NULL AND NOT a.attisdropped
       UNION ALL
       SELECT 'function', format('%I.%I(%s)', n.nspname, p.proname, pg_get_function_identity_arguments(p.oid)), NULL,
              coalesce(p.proacl, acldefault('f', p.proowner))
       FROM pg_proc p JOIN pg_namespace n ON n.oid = p.pronamespace
       WHERE n.nspname = ANY($1) AND p.prokind IN ('f', 'p')
       UNION ALL
       SELECT 'schema', nspname, NULL, coalesce(nspacl, acldefault('n', nspowner))
       FROM pg_namespace WHERE nspname = ANY($1)) held
     CROSS JOIN LATERAL aclexplode(held.acl) g
     LEFT JOIN pg_roles r ON r.oid = g.grantee
     WHERE (g.grantee = 0 OR r.rolname = ANY($2))
       AND NOT (g.grantee = 0 AND held.kind = 'schema' AND held.target = 'public' AND g.privilege_type = 'USAGE')`,
    [schemas, roles],
  );
  return rows;
}
