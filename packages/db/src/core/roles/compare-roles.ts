import { type Database, inPgSnapshot } from '../database.ts';
import { readRoles } from './ensure-roles.ts';
import { compareGrants } from './grant-privileges.ts';
import type { RoleNames } from './role-names.ts';

/** How the roles of the apps differ from what `plimsoll migrate` makes. */
export interface RoleDifferences {
  /** Roles that do not exist. */
  readonly absent: readonly string[];
  /** Roles with an attribute or a privilege that they may not have; `PUBLIC` is every role. */
  readonly powerful: readonly string[];
  /** Roles that lack a privilege. */
  readonly limited: readonly string[];
}

/** Compares the roles of the apps with `appPrivileges`, each list without repetitions. Any user of the database may. */
export async function compareRoles({ pool }: Database, names: RoleNames): Promise<RoleDifferences> {
  const apps = Object.values(names.apps);
  return inPgSnapshot(pool, async (client) => {
    const roles = await readRoles(client, apps);
    const { missing, excess } = await compareGrants(client, names);
    const absent = apps.filter((app) => !roles.some(({ name }) => name === app));
    const powerful = [
      ...roles.filter(({ isPowerful }) => isPowerful).map(({ name }) => name),
      ...excess.map(({ role }) => role),
    ];
    const limited = missing.map(({ role }) => role).filter((role) => !absent.includes(role));
    return { absent, powerful: [...new Set(powerful)], limited: [...new Set(limited)] };
  });
}
