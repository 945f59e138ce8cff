import { type AppName, appNames } from './app-privileges.ts';

/** Names of the database roles of an installation. They belong to the server: two installations on one differ in the prefix. */
export interface RoleNames {
  /** Owns every table and function; migrations run as it. Nobody signs in as it. */
  readonly owner: string;
  readonly apps: Readonly<Record<AppName, string>>;
}

/** The names that go with a prefix: `plimsoll` makes `plimsoll_owner` and, for instance, `plimsoll_report_worker`. */
export function roleNames(prefix: string): RoleNames {
  const apps = appNames.map((app) => [app, `${prefix}_${app.replaceAll('-', '_')}`]);
  return { owner: `${prefix}_owner`, apps: Object.fromEntries(apps) };
}

/** The URL with which an app signs in as its own role: that of the server, with another user and password. */
export function appDatabaseUrl(serverUrl: string, role: string, password: string): string {
  const url = new URL(serverUrl);
  url.username = encodeURIComponent(role);
  url.password = encodeURIComponent(password);
  return url.href;
}
