import { spawnSync } from 'node:child_process';
import { rm } from 'node:fs/promises';
import path from 'node:path';
import { enrolFleet, signIn } from '@plimsoll/loadtest';
import { systemErrorCode } from '@plimsoll/model';
import { testAdmin, waitFor } from '@plimsoll/testing';
import { canMount } from './faulty-service.ts';
import type { World } from './world.ts';

/** A fault that can be brought about and taken away. */
export interface Fault {
  readonly name: string;
  /** How long it lasts, as a multiple of the run's time; 0: it is over when it has happened. */
  readonly lasts: 0 | 1;
  inject(world: World): Promise<unknown>;
  /** Takes it away, also if it was not brought about. */
  heal(world: World): Promise<unknown>;
}

const nothing = async () => undefined;
const appOf = (app: string): RegExp => new RegExp(`apps/${app}/dist/main`);
const redisServer = /(redis|valkey)-server/;
const postgres = /^\S*postgres\0-D|^postgres: /;
/** So long a fault tries to reach a server that another fault may have taken away. */
const patienceMs = 10_000;

function signal(pid: number, name: NodeJS.Signals): void {
  try {
    process.kill(pid, name);
  } catch (error) {
    if (systemErrorCode(error) !== 'ESRCH') throw error;
  }
}

async function signalAll({ service }: World, pattern: RegExp, name: NodeJS.Signals): Promise<void> {
  for (const pid of await service.pids(pattern)) signal(pid, name);
}

/** Kills it three times, as soon as it runs again. */
function killed(name: string, pattern: RegExp): Fault {
  const inject = async (world: World): Promise<void> => {
    let before: readonly number[] = [];
    for (let kills = 0; kills < 3; kills += 1) {
      await waitFor(`${name} to run`, async () => {
        const now = await world.service.pids(pattern);
        return now.some((pid) => !before.includes(pid)) || !world.service.isRunning();
      });
      before = await world.service.pids(pattern);
      await signalAll(world, pattern, 'SIGKILL');
    }
  };
  return { name: `${name} killed three times`, lasts: 0, inject, heal: nothing };
}

function stopped(name: string, pattern: RegExp): Fault {
  return {
    name: `${name} stands still`,
    lasts: 1,
    inject: (world) => signalAll(world, pattern, 'SIGSTOP'),
    heal: (world) => signalAll(world, pattern, 'SIGCONT'),
  };
}

function inRedis(name: string, command: [string, ...string[]], undo: [string, ...string[]] | null): Fault {
  return {
    name: `Redis: ${name}`,
    lasts: undo === null ? 0 : 1,
    inject: ({ service }) => service.redis(command, patienceMs),
    heal: undo === null ? nothing : ({ service }) => service.redis(undo),
  };
}

const cut = `SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE pid <> pg_backend_pid() AND backend_type = 'client backend'`;

function inPostgres(name: string, statements: readonly string[], undo: readonly string[]): Fault {
  return {
    name: `PostgreSQL: ${name}`,
    lasts: undo.length === 0 ? 0 : 1,
    inject: ({ service }) => service.sql(statements, patienceMs),
    heal: undo.length === 0 ? nothing : ({ service }) => service.sql(undo),
  };
}

const reload = 'SELECT pg_reload_conf()';
const deletedAtOnce = 4;
const fillerOf = ({ service }: World): string => path.join(service.disk, 'filler');

const disk: Fault = {
  name: 'disk full',
  lasts: 1,
  inject: async (world) => spawnSync('dd', ['if=/dev/zero', `of=${fillerOf(world)}`, 'bs=64k']),
  heal: (world) => rm(fillerOf(world), { force: true }),
};

const supervisor: Fault = {
  name: 'supervisor killed, and started again',
  lasts: 1,
  inject: ({ service }) => service.kill(),
  heal: async ({ service }) => service.start(),
};

const leaving = ({ members }: World) => members.filter(({ host }) => host < deletedAtOnce);

const deletion: Fault = {
  name: `${deletedAtOnce} hosts deleted, and enrolled anew`,
  lasts: 1,
  async inject(world) {
    const { deleted, client, key } = world;
    for (const { hostId } of leaving(world)) {
      const { status } = await client.send({ method: 'DELETE', path: `/hosts/${hostId}`, token: key });
      // Not found: a request without an answer has deleted it.
      if (status === 204 || status === 404) deleted.add(hostId);
    }
  },
  async heal(world) {
    const { client, fleet, members, deleted, service } = world;
    await waitFor('the deletion', async () => {
      const { status } = await fetch(`${service.url}/readyz`).catch(() => ({ status: 0 }));
      if (status === 200) await deletion.inject(world);
      return leaving(world).every(({ hostId }) => deleted.has(hostId));
    });
    const session = await signIn(client, testAdmin);
    const anew = await enrolFleet(client, { ...fleet, hosts: deletedAtOnce }, { session, lanes: 1 });
    members.splice(0, deletedAtOnce, ...anew);
  },
};

/** By world, the import that was begun. */
const imports = new WeakMap<World, string>();
const importing: Fault = {
  name: 'advisory-worker killed in an import',
  lasts: 0,
  async inject(world) {
    imports.set(world, await world.beginImport());
    await killed('advisory-worker', appOf('advisory-worker')).inject(world);
  },
  async heal(world) {
    const id = imports.get(world);
    if (id !== undefined) await world.importEnded(id);
  },
};

/** No fault: what the others are compared with. */
export const none: Fault = { name: 'none', lasts: 0, inject: nothing, heal: nothing };

/** Every fault but that of the clock. */
export const faults: readonly Fault[] = [
  ...['api', 'report-worker', 'advisory-worker', 'scheduler'].map((app) => killed(app, appOf(app))),
  supervisor,
  ...['report-worker', 'advisory-worker', 'scheduler', 'api'].map((app) => stopped(app, appOf(app))),
  {
    ...killed('Redis', redisServer),
    name: 'Redis killed',
    inject: (w) => signalAll(w, redisServer, 'SIGKILL'),
  },
  inRedis('FLUSHALL', ['FLUSHALL'], null),
  inRedis('memory full', ['CONFIG', 'SET', 'maxmemory', '1mb'], ['CONFIG', 'SET', 'maxmemory', '0']),
  stopped('Redis', redisServer),
  inPostgres('connections cut', [cut], []),
  {
    ...inPostgres('immediate stop', [], []),
    inject: (world) => signalAll(world, /^\S*postgres\0-D/, 'SIGQUIT'),
  },
  inPostgres(
    'read-only',
    ['ALTER SYSTEM SET default_transaction_read_only = on', reload],
    ['SET default_transaction_read_only = off', 'ALTER SYSTEM RESET default_transaction_read_only', reload],
  ),
  inPostgres(
    'at most 3 connections',
    ['ALTER DATABASE plimsoll CONNECTION LIMIT 3', cut],
    ['ALTER DATABASE plimsoll CONNECTION LIMIT -1'],
  ),
  stopped('PostgreSQL', postgres),
  ...(canMount ? [disk] : []),
  deletion,
  importing,
];

const yearMs = 366 * 86_400_000;

/** Needs a world with a clock of its own. */
export const clock: Fault = {
  name: 'clock of database and apps a year ahead, and back',
  lasts: 1,
  inject: ({ service }) => service.clock?.moveTo(new Date(Date.now() + yearMs)) ?? nothing(),
  heal: ({ service }) => service.clock?.moveTo(new Date()) ?? nothing(),
};
