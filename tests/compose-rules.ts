import { environmentName, type SettingKey, settingKeys } from '@plimsoll/config';
import { appNames } from '@plimsoll/db';
import { type ComposeFile, type ComposeService, interpolate } from './compose-file.ts';
import {
  accessTo,
  allServices,
  appOf,
  appsWithMain,
  commandHas,
  configurationMistakes,
  environmentOf,
  isBuilt,
  isOneShot,
  isProbed,
  oneShots,
  ourDaemons,
  ourServices,
  type ServiceEntry,
  sealingVolumes,
} from './compose-services.ts';

/** Containers have no embedded servers and so no data folder; in front of them, Caddy ends TLS. */
const notForContainers: readonly SettingKey[] = [
  'data_dir',
  'api.tls_cert_file',
  'api.tls_key_file',
  // The services' URLs name the roles.
  'database.role_prefix',
];

/** A rule of docker-compose.yml; `problems` names every place that breaks it. */
export interface ComposeRule {
  readonly name: string;
  readonly problems: (file: ComposeFile) => readonly string[];
}

/** Names of the services for which `broken` holds. */
function where(
  list: readonly ServiceEntry[],
  broken: (service: ComposeService, name: string) => boolean,
): string[] {
  return list.filter(([name, service]) => broken(service, name)).map(([name]) => name);
}

/** All rules of docker-compose.yml. */
export const composeRules: readonly ComposeRule[] = [
  {
    name: 'every app with a main has exactly one service, named after it; the command line those that end',
    problems: (file) =>
      appsWithMain.filter((app) => {
        const running = ourServices(file).filter(([, service]) => appOf(service) === app);
        const wanted = app === oneShots.app ? oneShots.services : [app];
        return running.map(([name]) => name).join() !== wanted.join();
      }),
  },
  {
    name: 'every service of ours runs a bundle that the build makes',
    problems: (file) => where(ourServices(file), (service) => !isBuilt(appOf(service))),
  },
  {
    name: 'every environment variable is a setting, with a value it accepts, and none is missing',
    problems: (file) => ourServices(file).flatMap(configurationMistakes),
  },
  {
    name: 'every setting reaches some service',
    problems: (file) => {
      const passed = new Set(
        ourServices(file).flatMap(([, { environment = {} }]) => Object.keys(environment)),
      );
      return settingKeys.filter(
        (key) => !notForContainers.includes(key) && !passed.has(environmentName(key)),
      );
    },
  },
  {
    name: 'secrets have no default',
    problems: (file) =>
      allServices(file).flatMap(([name, { environment = {} }]) =>
        Object.entries(environment)
          .filter(([variable]) => /(PASSWORD|SECRET\w*|DATABASE_URL)$/.test(variable))
          // A URL with a user and no password holds no secret.
          .filter(([, value]) => !/^[a-z]+:\/\/[a-z_]+@/.test(String(value)))
          .filter(([, value]) => value !== null && interpolate(String(value), {}) !== null)
          .map(([variable]) => `${name}: ${variable}`),
      ),
  },
  {
    name: 'only the api has the key that signs tokens, and what backs it up',
    problems: (file) =>
      where(
        ourServices(file),
        ({ environment = {} }, name) =>
          environmentName('api.jwt_secret_key') in environment !== (name === 'api' || name === 'backup'),
      ),
  },
  {
    name: 'only the advisory-worker has addresses of mirrors, which may have passwords',
    problems: (file) =>
      where(ourServices(file), ({ environment = {} }, name) =>
        (['feeds.base_url', 'feeds.urls'] as const).some(
          (key) => environmentName(key) in environment !== (name === 'advisory-worker'),
        ),
      ),
  },
  {
    name: 'the ssh-worker alone reads the private key ring, the api alone the public key, and neither can write',
    problems: (file) =>
      where(ourServices(file), (service, name) => {
        const ring = accessTo(file, service, 'ssh.sealing_keys_file');
        const publicKey = accessTo(file, service, 'ssh.sealing_public_key_file');
        if (name === 'secrets' || name === 'backup') return ring !== 'write' || publicKey !== 'write';
        const isWrong = ring !== (name === 'ssh-worker' ? 'read' : 'none');
        return isWrong || publicKey !== (name === 'api' ? 'read' : 'none');
      }),
  },
  {
    name: 'migrate and backup alone have the password of the superuser; all others sign in as their own role, with its password alone',
    problems: (file) =>
      where(ourServices(file), (service, name) => {
        const url = String(service.environment?.[environmentName('database.url')]);
        const mounts = (service.volumes ?? []).filter((mount) => mount.startsWith('database-'));
        if (name === 'migrate' || name === 'backup')
          return (
            !url.includes('POSTGRES_PASSWORD') || mounts.length !== (name === 'migrate' ? appNames.length : 0)
          );
        const app = name === 'secrets' ? 'cli' : name;
        const role = `plimsoll_${app.replaceAll('-', '_')}`;
        return (
          url !== `postgresql://${role}@postgres:5432/plimsoll` ||
          mounts.join() !== `database-${app}:/var/lib/plimsoll/database:ro` ||
          JSON.stringify(service.environment).includes('POSTGRES_PASSWORD')
        );
      }),
  },
  {
    name: 'no volume is shared but those with keys, and those with passwords of roles; backup has keys, too',
    problems: (file) =>
      Object.keys(file.volumes).filter((volume) => {
        const users = allServices(file).filter(
          ([name, { volumes = [] }]) =>
            (name !== 'backup' || volume === 'backups') &&
            volumes.some((mount) => mount.split(':')[0] === volume),
        );
        const isShared = Object.values(sealingVolumes).includes(volume) || volume.startsWith('database-');
        return users.length !== (isShared ? 2 : 1);
      }),
  },
  {
    name: 'nothing runs as root, gains rights or keeps capabilities',
    problems: (file) =>
      where(
        allServices(file),
        ({ user, cap_drop, security_opt, privileged }) =>
          user === undefined ||
          /^(root|0)\b/.test(user) ||
          cap_drop?.includes('ALL') !== true ||
          security_opt?.includes('no-new-privileges:true') !== true ||
          privileged === true,
      ),
  },
  {
    name: 'memory and processes of everything are limited',
    problems: (file) =>
      where(
        allServices(file),
        ({ mem_limit, pids_limit }) => mem_limit === undefined || !(Number(pids_limit) > 0),
      ),
  },
  {
    name: 'filesystems are read-only but for /tmp and declared volumes',
    problems: (file) =>
      where(
        allServices(file),
        ({ read_only, tmpfs = [], volumes = [] }) =>
          read_only !== true ||
          !tmpfs.some((mount) => mount.split(':')[0] === '/tmp') ||
          volumes.some((mount) => !((mount.split(':')[0] ?? '') in file.volumes)),
      ),
  },
  {
    name: 'everything that lasts is started again, has time to finish and cannot fill the disk with logs',
    problems: (file) =>
      where(
        allServices(file).filter(([name]) => !isOneShot(name)),
        ({ restart, stop_grace_period, logging }) =>
          restart !== 'unless-stopped' ||
          !/^\d+s$/.test(stop_grace_period ?? '') ||
          logging?.options['max-size'] === undefined,
      ),
  },
  {
    name: 'every lasting service has a healthcheck, ours one that asks the port they listen on',
    problems: (file) => [
      ...where(allServices(file), ({ healthcheck }, name) => (healthcheck === undefined) !== isOneShot(name)),
      ...where(ourDaemons(file), (service, name) => !isProbed(service, name)),
    ],
  },
  {
    name: 'what runs once waits for the database, the apps for the migration and the queue, and for keys if they need any',
    problems: (file) => [
      ...where(ourDaemons(file), ({ depends_on }) => {
        const migrated = depends_on?.['migrate']?.condition === 'service_completed_successfully';
        return !migrated || depends_on?.['redis']?.condition !== 'service_healthy';
      }),
      ...where(ourDaemons(file), ({ depends_on, volumes }) => {
        const made = depends_on?.['secrets']?.condition === 'service_completed_successfully';
        const sealing = Object.values(sealingVolumes);
        return made !== (volumes ?? []).some((mount) => sealing.includes(mount.split(':')[0] ?? ''));
      }),
      ...where(
        ourServices(file).filter(([name]) => isOneShot(name)),
        ({ depends_on, restart }, name) =>
          (depends_on?.['postgres']?.condition !== 'service_healthy' &&
            depends_on?.['migrate']?.condition !== 'service_completed_successfully') ||
          restart !== (name === 'backup' ? 'unless-stopped' : 'no'),
      ),
    ],
  },
  {
    name: 'only the api is published, and Caddy under its profile; every service can be scaled',
    problems: (file) =>
      where(allServices(file), ({ ports, container_name, profiles }, name) => {
        const isCaddy = name === 'caddy';
        const isPublished = name === 'api' || isCaddy;
        const profile = isCaddy ? 'tls' : name === 'backup' ? 'backup' : undefined;
        return (
          (ports !== undefined) !== isPublished ||
          profiles?.join() !== profile ||
          container_name !== undefined
        );
      }),
  },
  {
    name: 'servers and the apps that need no way out stand on the internal network alone',
    problems: (file) => {
      const internal = (network: string): boolean => file.networks[network]?.internal === true;
      return where(allServices(file), ({ networks = [] }, name) => {
        const needsOutside = ['api', 'caddy', 'advisory-worker', 'ssh-worker', 'notify-worker'].includes(
          name,
        );
        return !networks.some(internal) || networks.every(internal) === needsOutside;
      });
    },
  },
  {
    name: 'the api believes the network that it shares with Caddy alone, and Caddy reaches nothing else inside',
    problems: (file) => {
      const { edge } = file.networks;
      const believed = environmentOf(file.services['api'] ?? {})[environmentName('api.trusted_proxies')];
      const strangers = where(
        allServices(file),
        ({ networks = [] }, name) => networks.includes('edge') !== ['api', 'caddy'].includes(name),
      );
      const caddyNetworks = file.services['caddy']?.networks ?? [];
      const shared = (name: string): boolean =>
        allServices(file).some(([other, { networks = [] }]) => other !== 'caddy' && networks.includes(name));
      const isIsolated = caddyNetworks.filter(shared).join() === 'edge';
      const isBelieved = edge?.internal === true && edge.ipam?.config[0]?.subnet === believed;
      return [...strangers, ...(isBelieved ? [] : ['api']), ...(isIsolated ? [] : ['caddy'])];
    },
  },
  {
    name: 'the queue is kept on disk and never evicts',
    problems: ({ services: { redis } }) => {
      const kept = redis?.volumes?.some((mount) => mount.endsWith(':/data')) === true;
      const durable = commandHas(redis, '--appendonly', 'yes');
      return kept && durable && commandHas(redis, '--maxmemory-policy', 'noeviction') ? [] : ['redis'];
    },
  },
  {
    name: 'images of others are named by their digest, but for Valkey, whose digest is pinned by Renovate',
    problems: (file) =>
      where(allServices(file), ({ image }, name) => {
        const isOurs = /^plimsoll(-caddy)?$/.test(image);
        return !isOurs && name !== 'redis' && !/^[\w./-]+:[\w.-]+@sha256:[0-9a-f]{64}$/.test(image);
      }),
  },
  {
    name: 'the database is PostgreSQL 18, kept where its image keeps it',
    problems: ({ services: { postgres } }) => {
      const kept = postgres?.volumes?.some((mount) => mount.endsWith(':/var/lib/postgresql')) === true;
      return kept && /^postgres:18\b/.test(postgres?.image ?? '') ? [] : ['postgres'];
    },
  },
];
