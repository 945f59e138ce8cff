import { createHash, createHmac, randomBytes } from 'node:crypto';
import { gzipSync } from 'node:zlib';
import {
  createEnrolmentStore,
  createRegistrationTokenStore,
  type Database,
  newId,
  systemActor,
} from '@plimsoll/db';
import { cloneHosts, type StoredPayload } from '@plimsoll/db/seeding';
import { type HostId, type RegistrationTokenId, uploadCompressionLevel, wholeFleet } from '@plimsoll/model';
import { encodeSnapshot } from '@plimsoll/reports';
import type { Fleet } from '../fleet/fleet.ts';
import type { Moment } from '../fleet/moment.ts';
import { inLanes } from '../service/in-lanes.ts';
import { type HistoryOptions, seedHistory } from './seed-history.ts';
import { contentHashOf, createUploadStages, type UploadStages } from './upload-stages.ts';

/** How a fleet is seeded directly. */
export interface SeedOptions {
  readonly now: Date;
  /** Days of history of the hosts that go through all stages, the last of them today; default: 1, today alone. */
  readonly days?: number;
  /** When the advisories of the past are imported; default: weekly. See `HistoryOptions`. */
  readonly publish?: HistoryOptions['publish'];
  /** Whether the snapshots of copied hosts have their bytes: about 16 kB and 2 ms each. */
  readonly payloads: boolean;
  /** The secret that the tokens of hosts are derived from; default: a random one. */
  readonly secret?: Uint8Array;
  readonly say: (line: string) => void;
}

/** A fleet in the database. */
export interface SeededFleet {
  /** The hosts that went through all stages, by number; the others are copies of them. */
  readonly originals: readonly HostId[];
  /** The host access token of a host by its number. */
  tokenOf(host: number): string;
}

/** Between two lines of progress; whole weeks. */
const daysPerLine = 28;
/** Concurrent reports; they share transactions as in the workers. */
const lanes = 32;
const staleAfterSeconds = 93_600;

/** The host access token of a seeded host by its number. */
export function hostTokenOf(secret: Uint8Array, host: number): string {
  return `plh_${createHmac('sha256', secret).update(String(host)).digest('base64url')}`;
}

/**
 * Writes a fleet into the database without a service: one host of each profile is enrolled and its report stored, parsed
 * and matched by the code of the API and the workers; the other hosts are copies of these that lack some packages.
 */
export async function seedFleet(db: Database, fleet: Fleet, options: SeedOptions): Promise<SeededFleet> {
  const { say, now, days = 1 } = options;
  const today: Moment = { day: days - 1, at: now };
  const { secret = randomBytes(32) } = options;
  const tokenOf = (host: number) => hostTokenOf(secret, host);
  const startedAt = performance.now();
  const originals = await enrolProfiles(db, fleet, tokenOf);
  if (days === 1) await takeReports(createUploadStages(db), fleet, originals, today);
  else {
    const onProgress = (done: number) => {
      if (done % daysPerLine === 0) say(`day ${done} of ${days}`);
    };
    const { publish = 'weekly' } = options;
    const past = await seedHistory(db, fleet, { hostIds: originals, days, now, publish, onProgress });
    say(`${past.reports} reports and ${past.advisories} advisories of the past`);
  }
  // As hosts that enrolled days ago: they share no allowance.
  await endSharing(db);
  say(`${originals.length} hosts enrolled and matched in ${secondsSince(startedAt)} s`);
  const copiesFrom = performance.now();
  await cloneHosts(db, {
    originals,
    hosts: fleet.hosts,
    hostname: fleet.hostname,
    machineId: fleet.machineId,
    accessTokenHash: (host) => sha256(tokenOf(host)),
    lacks: fleet.lacks,
    payloadOf: options.payloads ? (host) => storedPayload(fleet, host, today) : null,
  });
  say(`${fleet.hosts - originals.length} hosts copied in ${secondsSince(copiesFrom)} s`);
  return { originals, tokenOf };
}

/** Enrols hosts 0 to `profiles` - 1 with a registration token; returns their ids by number. */
export async function enrolProfiles(
  db: Database,
  fleet: Fleet,
  tokenOf: (host: number) => string,
): Promise<readonly HostId[]> {
  const registration = randomBytes(16);
  const tokenHash = sha256(registration);
  await createRegistrationTokenStore(db).create(
    wholeFleet,
    {
      id: newId<RegistrationTokenId>(),
      name: 'seeded fleet',
      tokenHash,
      autoApprove: true,
      maxUses: fleet.profiles,
      hostId: null,
      expiresAt: new Date(Date.now() + 3_600_000),
    },
    systemActor('plimsoll loadtest'),
  );
  const store = createEnrolmentStore(db, { burst: fleet.profiles, perMinute: fleet.profiles });
  const hostIds: HostId[] = [];
  const numbers = Array.from({ length: fleet.profiles }, (_, host) => host);
  await inLanes(numbers, 4, async (host) => {
    const platform = fleet.models[fleet.profile(host).model]?.snapshot.platform;
    const result = await store.enrol({
      tokenHash,
      idempotencyKeyHash: null,
      hostId: newId<HostId>(),
      accessTokenId: newId<string>(),
      accessTokenHash: sha256(tokenOf(host)),
      hostname: fleet.hostname(host),
      machineId: fleet.machineId(host),
      ipAddress: null,
      osFamily: platform?.osFamily ?? 'unknown',
      osName: platform?.osId ?? '',
      osMajor: Number.parseInt(platform?.osVersionId ?? '', 10) || 0,
      osVersion: platform?.osVersion ?? '',
      architecture: platform?.architecture ?? '',
      staleAfterSeconds,
      origin: { ipAddress: null, requestId: null },
    });
    if (result.kind !== 'enrolled') throw new Error(`host ${host} was not enrolled: ${result.kind}`);
    hostIds[host] = result.hostId;
  });
  return hostIds;
}

async function takeReports(
  stages: UploadStages,
  fleet: Fleet,
  hostIds: readonly HostId[],
  moment: Moment,
): Promise<void> {
  await inLanes(hostIds.entries(), lanes, async ([host, hostId]) => {
    const snapshot = fleet.snapshot(host, moment);
    const payload = encodeSnapshot(snapshot);
    await stages.take({ hostId, snapshot, payload, gzip: compressed(payload), receivedAt: null });
  });
}

async function endSharing({ pool }: Database): Promise<void> {
  await pool.query('UPDATE hosts SET shares_allowance_until = NULL WHERE shares_allowance_until IS NOT NULL');
}

function storedPayload(fleet: Fleet, host: number, moment: Moment): StoredPayload {
  const payload = encodeSnapshot(fleet.snapshot(host, moment));
  return {
    gzip: compressed(payload),
    sha256: sha256(payload),
    size: payload.length,
    contentHash: contentHashOf(payload),
  };
}

function compressed(payload: Uint8Array): Uint8Array {
  return gzipSync(payload, { level: uploadCompressionLevel });
}

function sha256(data: string | Uint8Array): Uint8Array<ArrayBuffer> {
  return new Uint8Array(createHash('sha256').update(data).digest());
}

function secondsSince(startedAt: number): string {
  return ((performance.now() - startedAt) / 1_000).toFixed(1);
}
