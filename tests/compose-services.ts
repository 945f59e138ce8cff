import { readFileSync } from 'node:fs';
import path from 'node:path';
import { ConfigError, environmentName, loadConfig, type SettingKey, settingKeys } from '@plimsoll/config';
import { serviceApps } from '@plimsoll/model';
import { type ComposeFile, type ComposeService, interpolate } from './compose-file.ts';

const root = path.resolve(__dirname, '..');
const image = 'plimsoll';
/** The settings that an operator must provide. */
const secrets = { POSTGRES_PASSWORD: 'p'.repeat(48), API_JWT_SECRET_KEY: 's'.repeat(64) };

/** A service with its name. */
export type ServiceEntry = readonly [name: string, service: ComposeService];

/** The services that finish before others start and the one that backs up, and the app they run. */
export const oneShots = { services: ['migrate', 'secrets', 'backup'], app: 'cli' } as const;

/** Whether a service finishes before others start, or only backs up. */
export function isOneShot(name: string): boolean {
  return oneShots.services.some((service) => service === name);
}

/** The apps with a main: those of the service, and the command line. */
export const appsWithMain: readonly string[] = [...serviceApps, oneShots.app];

/** Every service, by name. */
export function allServices({ services }: ComposeFile): readonly ServiceEntry[] {
  return Object.entries(services);
}

/** The services that run the project's image. */
export function ourServices(file: ComposeFile): readonly ServiceEntry[] {
  return allServices(file).filter(([, service]) => service.image === image);
}

/** Those that keep running. */
export function ourDaemons(file: ComposeFile): readonly ServiceEntry[] {
  return ourServices(file).filter(([name]) => !isOneShot(name));
}

/** The app whose bundle a service runs; empty for others. */
export function appOf({ command = [] }: ComposeService): string {
  const [program, bundle = ''] = command;
  return program === 'node' ? (/^apps\/([a-z-]+)\/dist\/main\.js$/.exec(bundle)?.[1] ?? '') : '';
}

/** Whether `npm run build` makes the bundle of an app. */
export function isBuilt(app: string): boolean {
  if (!appsWithMain.includes(app)) return false;
  const description = readFileSync(path.join(root, 'apps', app, 'package.json'), 'utf8');
  return description.includes('"build": "node ../../tools/build-app.mjs"');
}

/** The environment of a container, without settings that have no value. */
export function environmentOf(
  service: Pick<ComposeService, 'environment'>,
): Readonly<Record<string, string>> {
  const found: Record<string, string> = {};
  for (const [name, value] of Object.entries(service.environment ?? {})) {
    const text = value === null ? null : interpolate(String(value), secrets);
    if (text !== null) found[name] = text;
  }
  return found;
}

/** Environment variables of the apps that go through a proxy, besides their settings. */
const proxyVariables = ['HTTPS_PROXY', 'HTTP_PROXY', 'NO_PROXY', 'https_proxy', 'http_proxy', 'no_proxy'];

/** What is wrong with a service's environment, for the app that gets it. */
export function configurationMistakes([name, service]: ServiceEntry): readonly string[] {
  const known = new Set([
    ...settingKeys.map(environmentName),
    ...(['advisory-worker', 'notify-worker'].includes(name) ? proxyVariables : []),
  ]);
  const unknown = Object.keys(service.environment ?? {}).filter((variable) => !known.has(variable));
  const mistakes = unknown.map((variable) => `${name}: ${variable}`);
  const place = { fileText: null, fileName: null, projectDir: root };
  try {
    loadConfig({ ...place, env: environmentOf(service), required: requiredOf(name) });
    return mistakes;
  } catch (error) {
    if (!(error instanceof ConfigError)) throw error;
    return [...mistakes, ...error.mistakes.map(({ key, message }) => `${name}: ${key} ${message}`)];
  }
}

const requiredByAll: readonly SettingKey[] = ['database.url', 'redis.url'];
const required: Readonly<Record<string, readonly SettingKey[]>> = {
  migrate: ['database.url'],
  backup: ['database.url', 'backup.dir'],
  secrets: ['database.url', 'ssh.sealing_keys_file', 'ssh.sealing_public_key_file'],
  api: [...requiredByAll, 'api.jwt_secret_key', 'ssh.sealing_public_key_file'],
  'ssh-worker': [...requiredByAll, 'worker.health_port', 'ssh.sealing_keys_file'],
};

function requiredOf(name: string): readonly SettingKey[] {
  return required[name] ?? [...requiredByAll, 'worker.health_port'];
}

/** How a service can use the volume with a setting's file. */
export function accessTo(
  { volumes }: ComposeFile,
  service: ComposeService,
  key: SettingKey,
): 'none' | 'read' | 'write' | 'misplaced' {
  const file = environmentOf(service)[environmentName(key)];
  const volume = sealingVolumes[key];
  const mounts = (service.volumes ?? []).map((mount) => mount.split(':'));
  const mount = mounts.find(([name]) => name === volume);
  if (file === undefined && mount === undefined) return 'none';
  const isThere = volume !== undefined && volume in volumes && file !== undefined;
  if (!isThere || mount?.[1] !== path.posix.dirname(file)) return 'misplaced';
  return mount[2] === 'ro' ? 'read' : 'write';
}

/** The volume of each sealing file: they are separate, so that a service can have only one. */
export const sealingVolumes: Readonly<Partial<Record<SettingKey, string>>> = {
  'ssh.sealing_keys_file': 'sealing-keys',
  'ssh.sealing_public_key_file': 'sealing-public-key',
};

/** Whether a service's healthcheck requests the port that the service listens on, at the path it serves. */
export function isProbed(service: ComposeService, name: string): boolean {
  const [kind, program, option, code = ''] = service.healthcheck?.test ?? [];
  if (kind !== 'CMD' || program !== 'node' || option !== '--eval') return false;
  const isApi = name === 'api';
  const port = environmentOf(service)[environmentName(isApi ? 'api.port' : 'worker.health_port')];
  return code.startsWith(`fetch('http://127.0.0.1:${port}${isApi ? '/readyz' : '/healthz'}')`);
}

/** Whether a service's command has an option with a value. */
export function commandHas(service: ComposeService | undefined, option: string, value: string): boolean {
  const command = service?.command ?? [];
  return command[command.indexOf(option) + 1] === value;
}
