import { execFile } from 'node:child_process';
import { rename } from 'node:fs/promises';
import path from 'node:path';
import { promisify } from 'node:util';
import { createFleet, readModels } from '@plimsoll/loadtest';
import { roundSeconds } from '@plimsoll/model';
import { waitFor } from '@plimsoll/testing';
import { type Received, startReceiver } from '../../apps/notify-worker/tests/receiver.ts';
import type { WorldClock } from './world-clock.ts';
import type { YearSize } from './year-bounds.ts';
import { createYearClient, type YearClient } from './year-client.ts';
import { createYearFeeds, yearFeeds } from './year-feeds.ts';
import { createYearHosts } from './year-hosts.ts';
import { createYearPeople } from './year-people.ts';
import { retentionOf } from './year-retention.ts';
import { startYearService, type YearService } from './year-service.ts';

const run = promisify(execFile);
const hourMs = 3_600_000;
const hoursPerDay = 24;
const fleetHosts = 30;
/** Two days after the begin of summer time in Berlin, and four weeks after a leap day. */
const end = Date.UTC(2028, 2, 28);
/** The hour from which the last host of the fleet is silent, without being deleted. */
const silentFrom = 3 * hoursPerDay;
/** Days for which a certificate is valid, and after which it is renewed. */
const certificate = { days: 30, renewedAfter: 20 };

/** What `GET /system` says that a year looks at. */
interface System {
  readonly certificate: { readonly not_before: string; readonly not_after: string };
  readonly rounds: readonly {
    readonly name: string;
    readonly state: string;
    readonly last_ok_at: string | null;
    readonly last_error: { readonly message: string } | null;
  }[];
  readonly work: readonly { readonly work: string; readonly waiting: number }[];
  readonly queue: {
    readonly queues: readonly { readonly name: string; readonly waiting: number; readonly active: number }[];
  };
}

/** A service after its year; it still runs. */
export interface LivedYear {
  readonly service: YearService;
  /** A reader of everything. */
  get(path: string): Promise<unknown>;
  system(): Promise<System>;
  /** Messages of the webhook. */
  readonly messages: readonly Received[];
  readonly size: YearSize;
  stop(): Promise<void>;
}

/**
 * Lets a service live `days` days up to the end of March 2028, hour by hour: agents report, users work, feeds are
 * published, certificates are renewed. After each hour all rounds must have run and nothing may wait. Throws at the
 * first round that fails.
 */
export async function liveYear(days: number): Promise<LivedYear> {
  const start = end - days * hoursPerDay * hourMs;
  const timeOf = (day: number): Date => new Date(start + day * hoursPerDay * hourMs);
  // Of those that are added later, every ninth day has one.
  const fleet = createFleet({ models: await models(), hosts: fleetHosts + days, seed: 1 });
  const feedsIn = (folder: string) =>
    createYearFeeds(path.join(folder, 'feeds'), fleet, { timeOf, endOf13: Math.floor(days / 2) });
  const receiver = await startReceiver();
  const service = await startYearService(new Date(start), async (folder, clock) => {
    await renewCertificate(folder, clock);
    await feedsIn(folder).publish(0);
    return {
      ...retentionOf(days).settings,
      PLIMSOLL_API_TLS_CERT_FILE: path.join(folder, 'tls.pem'),
      PLIMSOLL_API_TLS_KEY_FILE: path.join(folder, 'tls.key'),
      PLIMSOLL_FEEDS_SYNC_ENABLED: 'true',
      PLIMSOLL_FEEDS_ENABLED: yearFeeds.join(','),
      PLIMSOLL_FEEDS_BASE_URL: `file://${folder}/feeds`,
      PLIMSOLL_NOTIFICATIONS_ALLOWED_NETWORKS: '127.0.0.0/8',
    };
  });
  const client = createYearClient(service.url);
  const stop = async (): Promise<void> => {
    client.close();
    await service.stop();
    await receiver.stop();
  };
  try {
    const feeds = feedsIn(service.folder);
    const hosts = createYearHosts(client, fleet);
    const people = createYearPeople(client, hosts);
    let advisories = await feeds.publish(0);
    await people.begin(service.clock.now(), { hosts: fleetHosts, receiver: receiver.url });
    const system = () => systemOf(client, people.monitoringKey);
    for (let hour = 1; hour < days * hoursPerDay; hour += 1) {
      const at = new Date(start + hour * hourMs);
      await service.clock.moveTo(at);
      if (hour === silentFrom) hosts.forget(fleetHosts - 1);
      if (hour % hoursPerDay === 0) advisories = await feeds.publish(hour / hoursPerDay);
      if (hour % (certificate.renewedAfter * hoursPerDay) === 0)
        await renewCertificate(service.folder, service.clock);
      await hosts.report(hour, at);
      await people.act(hour, at, advisories);
      await untilCalm(at, system);
    }
    return {
      service,
      messages: receiver.received,
      size: { days, hosts: hosts.enrolled(), advisories: advisories.length, ...hosts.counts },
      get: (path) => client.ok('GET', path, { token: people.monitoringKey }),
      system,
      stop,
    };
  } catch (error) {
    const seen = [
      ...service.errors,
      ...[...service.warnings].map(([message, times]) => `${times} × ${message}`),
      ...(await waitingUploads(service).catch((lost: unknown) => [String(lost)])),
    ];
    await stop();
    throw new Error(`the year ended early; logs and waiting uploads:\n${seen.join('\n')}`, { cause: error });
  }
}

async function waitingUploads({ database }: YearService): Promise<readonly string[]> {
  const { rows } = await database.query<{ upload: object }>(
    `SELECT to_jsonb(u) - 'body' AS upload FROM uploads u WHERE state IN ('received', 'parsed')`,
  );
  return rows.map(({ upload }) => JSON.stringify(upload));
}

async function models() {
  const folder = path.resolve(__dirname, '../../packages/loadtest/models');
  return readModels(['debian-11.tsv', 'debian-13.tsv'].map((name) => path.join(folder, name)));
}

async function systemOf(client: YearClient, token: string): Promise<System> {
  return (await client.ok('GET', '/system', { token })) as unknown as System;
}

/** Waits until every round has run since `at`, or since its last time before, and no work waits. */
async function untilCalm(at: Date, system: () => Promise<System>): Promise<void> {
  let waiting: readonly string[] = [];
  try {
    await waitFor(`the work of ${at.toISOString()}`, async () => {
      const { rounds, work, queue } = await system();
      const failing = rounds.filter(({ state }) => state === 'failing');
      if (failing.length > 0) throw new Error(`rounds fail: ${JSON.stringify(failing)}`);
      waiting = [
        ...rounds
          // Without backup.dir there is no schedule for it.
          .filter(({ name }) => name !== 'back up')
          .filter(({ name, last_ok_at: ok }) => ok === null || Date.parse(ok) < at.getTime() - restMs(name))
          .map(({ name }) => name),
        ...work.filter((one) => one.waiting > 0).map((one) => one.work),
        ...queue.queues.filter((one) => one.waiting + one.active > 0).map(({ name }) => name),
      ];
      return waiting.length === 0;
    });
  } catch (error) {
    throw new Error(`not done: ${waiting.join(', ')}`, { cause: error });
  }
}

/** How long a round may rest before `at`: of one that runs every hour or less often its period, and two steps of the clock. */
function restMs(name: string): number {
  const seconds = Object.entries(roundSeconds).find(([round]) => round === name)?.[1];
  if (seconds === undefined || seconds === null) return Number.POSITIVE_INFINITY;
  return seconds < 3_600 ? 0 : (seconds + 2 * 3_600) * 1_000;
}

/** Replaces the certificate of the API by one that is valid from now on. */
async function renewCertificate(folder: string, { forServers }: WorldClock): Promise<void> {
  const [cert, key] = [path.join(folder, 'tls.pem'), path.join(folder, 'tls.key')];
  const made = ['-newkey', 'rsa:2048', '-nodes', '-keyout', `${key}.next`, '-out', `${cert}.next`];
  const days = String(certificate.days);
  await run('openssl', ['req', '-x509', '-days', days, '-subj', '/CN=127.0.0.1', ...made], {
    env: { PATH: process.env['PATH'], ...forServers },
  });
  await rename(`${key}.next`, key);
  await rename(`${cert}.next`, cert);
}
