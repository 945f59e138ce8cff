import { type Fleet, type Moment, prepareReport } from '@plimsoll/loadtest';
import type { YearClient } from './year-client.ts';

const hoursPerDay = 24;
/** These are changed several times a day, so that days are folded. */
const busyHosts = 3;
const hoursOfBusy = 6;

/** The hosts of a year, and their agents. */
export interface YearHosts {
  /** The id of a host that has enrolled. */
  idOf(host: number): string;
  /** Enrols the next host of the fleet with a registration token; resolves to its number. */
  enrol(registrationToken: string): Promise<number>;
  /** The number of hosts that ever enrolled. */
  enrolled(): number;
  /** A host reports no longer. */
  forget(host: number): void;
  /** Those that are due report: each once a day at its hour, the first few every six hours, each time with a change. */
  report(hour: number, at: Date): Promise<void>;
  /** What they did so far. */
  readonly counts: HostCounts;
}

/** What agents did. */
export interface HostCounts {
  /** Reports that were sent, and tokens that were replaced. */
  reports: number;
  tokens: number;
  /** The package versions that reports named, and the updates that they offered. */
  readonly versions: ReadonlySet<string>;
  readonly upgrades: ReadonlySet<string>;
}

interface Member {
  readonly id: string;
  token: string;
}

/** Agents of the fleet's hosts; none has enrolled yet. */
export function createYearHosts(client: YearClient, fleet: Fleet): YearHosts {
  const members = new Map<number, Member>();
  const versions = new Set<string>();
  const upgrades = new Set<string>();
  const counts = { reports: 0, tokens: 0, versions, upgrades };
  let enrolled = 0;

  const report = async (host: number, member: Member, moment: Moment): Promise<void> => {
    const answer = await client.ok('POST', '/agent/snapshots', {
      token: member.token,
      body: prepareReport(fleet, host, moment).gzip,
      headers: {
        'content-type': 'application/x-protobuf',
        'content-encoding': 'gzip',
        'plimsoll-new-token': 'accepted',
        prefer: 'wait=30',
      },
    });
    counts.reports += 1;
    const { platform, packages, upgrades: offered } = fleet.snapshot(host, moment);
    const release = platform.osVersionId;
    for (const { name, version } of packages) versions.add(`${release} ${name} ${version}`);
    for (const { name, installedVersion, candidateVersion } of offered)
      upgrades.add(`${release} ${name} ${installedVersion} ${candidateVersion}`);
    const next = answer['host_access_token'];
    if (typeof next !== 'string') return;
    member.token = next;
    counts.tokens += 1;
  };

  return {
    counts,
    enrolled: () => enrolled,
    idOf(host) {
      const member = members.get(host);
      if (member === undefined) throw new Error(`host ${host} has not enrolled`);
      return member.id;
    },
    async enrol(registrationToken) {
      const host = enrolled;
      enrolled += 1;
      const answer = await client.ok('POST', '/agent/register', {
        body: {
          registration_token: registrationToken,
          hostname: fleet.hostname(host),
          machine_id: fleet.machineId(host),
        },
      });
      members.set(host, {
        id: String(answer['host_id']),
        token: String(answer['host_access_token']),
      });
      return host;
    },
    forget(host) {
      members.delete(host);
    },
    async report(hour, at) {
      const day = Math.floor(hour / hoursPerDay);
      for (const [host, member] of members) {
        if (fleet.isSilent(host, day)) continue;
        if (host < busyHosts && hour % hoursOfBusy === host)
          await report(host, member, { day, at, revision: 1 + Math.floor(hour / hoursOfBusy) });
        else if (host >= busyHosts && host % hoursPerDay === hour % hoursPerDay)
          await report(host, member, { day, at });
      }
    },
  };
}
