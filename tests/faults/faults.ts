import { spawnSync } from 'node:child_process';
import { rm } from 'node:fs/promises';
import path from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { systemErrorCode } from '@plimsoll/model';
import { waitFor } from '@plimsoll/testing';
import { canMount } from '../../apps/cli/tests/service-process.ts';
import type { World } from './world.ts';

/** A fault that can be brought about and taken away. */
export interface Fault {
  readonly name: string;
  /** How long it lasts, as a multiple of the run's time; 0: it is over when it has happened. */
  readonly lasts: 0 | 1;
  /** What has to be there before any fault of a storm. */
  prepare?(world: World): Promise<void>;
  /** By asking a server that other faults take away: it comes before them. */
  readonly isAsked?: true;
  inject(world: World): Promise<unknown>;
  /** Takes it away, also if it was not brought about. */
  heal(world: World): Promise<unknown>;
}

const nothing = async () => undefined;
const appOf = (app: string): RegExp => new RegExp(`apps/${app}/dist/main`);
const redisServer = /(redis|valkey)-server/;
const postgres = /^\S*postgres\0-D|^postgres: /;

async function signalAll({ service }: World, pattern: RegExp, name: NodeJS.Signals): Promise<void> {
  for (const pid of await service.pids(pattern)) {
    try {
      process.kill(pid, name);
    } catch (error) {
      if (systemErrorCode(error) !== 'ESRCH') throw error;
    }
  }
}

/** Kills it three times, whenever it runs again. */
function killed(name: string, pattern: RegExp): Fault {
  const inject = async (world: World): Promise<void> => {
    const { pids, isRunning } = world.service;
    for (let kills = 0; kills < 3; kills += 1) {
      await waitFor(`${name} to run`, async () => (await pids(pattern)).length > 0 || !isRunning());
      await signalAll(world, pattern, 'SIGKILL');
      await delay(100);
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
    isAsked: true,
    inject: ({ service }) => service.redis(command),
    heal: undo === null ? nothing : ({ service }) => service.redis(undo),
  };
}

const cut = `SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE pid <> pg_backend_pid() AND backend_type = 'client backend'`;

function inPostgres(name: string, statements: readonly string[], undo: readonly string[]): Fault {
  return {
    name: `PostgreSQL: ${name}`,
    lasts: undo.length === 0 ? 0 : 1,
    isAsked: true,
    inject: ({ service }) => service.sql(statements),
    heal: undo.length === 0 ? nothing : ({ service }) => service.sql(undo),
  };
}

const reload = 'SELECT pg_reload_conf()';
/** For this connection, while others are read-only. */
const writable = 'SET default_transaction_read_only = off';
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

/** Not for storms: the hosts stay away. */
export const deletion: Fault = {
  name: '4 hosts deleted',
  lasts: 0,
  async inject({ members, deleted, client, key }) {
    for (const { hostId } of members.splice(0, 4)) {
      await client.send({ method: 'DELETE', path: `/hosts/${hostId}`, token: key });
      deleted.add(hostId);
    }
  },
  heal: nothing,
};

/** By world, the import that was begun. */
const imports = new WeakMap<World, string>();
const importing: Fault = {
  ...killed('advisory-worker', appOf('advisory-worker')),
  name: 'advisory-worker killed in an import',
  async prepare(world) {
    imports.set(world, await world.beginImport());
  },
  async heal(world) {
    const id = imports.get(world);
    if (id !== undefined) await world.importEnded(id);
  },
};

/** No fault: what the others are compared with. */
export const none: Fault = { name: 'none', lasts: 0, inject: nothing, heal: nothing };

/** Those that can come together, and again. */
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
    ...{ name: 'PostgreSQL: immediate stop', lasts: 0, heal: nothing },
    inject: (world) => signalAll(world, /^\S*postgres\0-D/, 'SIGQUIT'),
  },
  inPostgres(
    'read-only',
    ['ALTER SYSTEM SET default_transaction_read_only = on', reload],
    [writable, 'ALTER SYSTEM RESET default_transaction_read_only', reload],
  ),
  inPostgres(
    'at most 3 connections',
    [writable, 'ALTER DATABASE plimsoll CONNECTION LIMIT 3', cut],
    [writable, 'ALTER DATABASE plimsoll CONNECTION LIMIT -1'],
  ),
  stopped('PostgreSQL', postgres),
  ...(canMount ? [disk] : []),
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
