import { gzipSync } from 'node:zlib';
import type { InstalledPackage, Snapshot } from '@plimsoll/model';
import { encodeSnapshot } from '@plimsoll/reports';

/** Packages of every host. */
const packagesPerHost = 720;
/** Other versions of each package that hosts of the fleet have, besides the model's own. */
const otherVersions = 3;
/** One in this many packages differs between two reports of a host. */
const changedShare = 100;
/** One in this many packages has a version that no host had before, in reports with new versions. */
const newShare = 10;

/** The kind of a report: its difference from the host's previous one. */
export type ReportKind = 'known' | 'new';

/**
 * Makes reports of hosts like one machine with 720 packages. A report differs from the host's previous one in about one
 * package of a hundred; with `new`, one of ten has a version that no host had before.
 */
export class ReportMaker {
  private readonly model: Snapshot;

  constructor(model: Snapshot) {
    this.model = { ...model, packages: fillUp(model.packages) };
  }

  /** The report of a host by its number, in a round, as gzip. Equal arguments give equal bytes. */
  report(host: number, round: number, kind: ReportKind): Buffer {
    const packages = this.model.packages.map((entry, index) => {
      const chance = mix(index * 7_919 + host);
      if (kind === 'new' && (index + host) % newShare === 0)
        return withVersion(entry, `${entry.version}~n${round}.${host}`);
      const isOfHost = chance % (changedShare / 2) === 0;
      // The previous round's differences end as this round's begin: half of the share each.
      const isOfRound = mix(chance + round) % (2 * changedShare) === 0;
      if (!isOfHost && !isOfRound) return entry;
      return withVersion(entry, `${entry.version}~b${(isOfRound ? chance + round : chance) % otherVersions}`);
    });
    return gzipSync(encodeSnapshot(this.ofHost(host, packages)));
  }

  /** Reports that together have every version of `known` reports: one for each other version of all packages. */
  vocabulary(): readonly Buffer[] {
    return Array.from({ length: otherVersions }, (_, version) => {
      const packages = this.model.packages.map((entry) => withVersion(entry, `${entry.version}~b${version}`));
      return gzipSync(encodeSnapshot(this.ofHost(version, packages)));
    });
  }

  private ofHost(host: number, packages: readonly InstalledPackage[]): Snapshot {
    const { platform } = this.model;
    const hostname = `bench-${host}`;
    const machineId = host.toString(16).padStart(32, '0');
    return {
      ...this.model,
      platform: {
        ...platform,
        hostname,
        machineId,
        ipAddresses: [`10.${host >> 16}.${(host >> 8) & 255}.${host & 255}`],
      },
      packages,
    };
  }
}

/** As many packages as a host of the fleet has: those of the model, repeated under other names if there are fewer. */
function fillUp(packages: readonly InstalledPackage[]): readonly InstalledPackage[] {
  return Array.from({ length: packagesPerHost }, (_, index) => {
    const entry = packages[index % packages.length];
    if (entry === undefined) throw new Error('the model has no packages');
    const copy = Math.floor(index / packages.length);
    return copy === 0
      ? { ...entry, installedAt: null }
      : { ...entry, installedAt: null, name: `${entry.name}-copy${copy}` };
  });
}

/** A package and its source with another version, as after an update. */
function withVersion(entry: InstalledPackage, version: string): InstalledPackage {
  return { ...entry, version, sourceVersion: version };
}

/** A number that depends on all bits of another; not negative. */
function mix(number: number): number {
  let bits = Math.imul(number ^ (number >>> 16), 0x45d9f3b);
  bits = Math.imul(bits ^ (bits >>> 16), 0x45d9f3b);
  return (bits ^ (bits >>> 16)) >>> 0;
}
