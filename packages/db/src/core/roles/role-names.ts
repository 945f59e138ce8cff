import { type AppName, appNames } from './app-privileges.ts';

/**
 * Names of the database roles of an installation. Roles are shared by the server, so installations on one server use
 * different prefixes.
 */
export interface RoleNames {
  /** Owns every table and function; migrations run as this role. No one can log in as it. */
  readonly owner: string;
  readonly apps: Readonly<Record<AppName, string>>;
}

/** The role names for a prefix: `plimsoll` gives `plimsoll_owner` and, for example, `plimsoll_report_worker`. */
export function roleNames(prefix: string): RoleNames {
  const apps = appNames.map((app) => [app, `${prefix}_${app.replaceAll('-', '_')}`]);
  return { owner: `${prefix}_owner`, apps: Object.fromEntries(apps) };
}

/** The URL for an app's own role: the server's URL with its user and password replaced. */
export function appDatabaseUrl(serverUrl: string, role: string, password: string): string {
  const url = new URL(serverUrl);
  url.username = encodeURIComponent(role);
  url.password = encodeURIComponent(password);
  return url.href;
}
