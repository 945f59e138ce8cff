import type { Platform } from '@plimsoll/model';
import { createChance, hashText, mix } from './chance.ts';
import type { Fleet } from './fleet.ts';
import type { ModelHost } from './model-host.ts';

/** An advisory about a security build of a fleet's archives. */
export interface FleetAdvisory {
  /** The day of the build and of the advisory. */
  readonly day: number;
  /** The record in OSV's format. */
  readonly record: object;
}

const severities = [
  { share: 0.1, score: 'CVSS:3.1/AV:N/AC:L/PR:N/UI:N/S:U/C:H/I:H/A:H', word: 'Critical' },
  { share: 0.4, score: 'CVSS:3.1/AV:N/AC:L/PR:N/UI:N/S:U/C:N/I:N/A:H', word: 'Important' },
  { share: 0.4, score: 'CVSS:3.1/AV:N/AC:L/PR:N/UI:N/S:U/C:L/I:N/A:N', word: 'Moderate' },
  { share: 0.1, score: 'CVSS:3.1/AV:L/AC:H/PR:L/UI:N/S:U/C:L/I:N/A:N', word: 'Low' },
] as const;

/** OSV's names of the releases for which advisories are made; other distributions do not publish in this format. */
const ecosystems: Readonly<Record<string, (platform: Platform) => string>> = {
  debian: ({ osVersionId }) => `Debian:${osVersionId}`,
};

/**
 * The advisories about the security builds of the fleet's archives from a day to another, both included, oldest first.
 * Equal fleets have equal advisories. `timeOf` is the time of a day.
 */
export function fleetAdvisories(
  fleet: Fleet,
  { from, to }: { readonly from: number; readonly to: number },
  timeOf: (day: number) => Date,
): readonly FleetAdvisory[] {
  const found: FleetAdvisory[] = [];
  for (const [number, model] of fleet.models.entries()) {
    const ecosystem = ecosystems[model.snapshot.platform.osId]?.(model.snapshot.platform);
    if (ecosystem === undefined) continue;
    const archive = fleet.archive(number);
    for (const [source, index] of sourcesOf(model)) {
      for (const [at, build] of archive.buildsOf(source, to).entries()) {
        if (!build.isSecurity || build.day < from) continue;
        const fixed = archive.versionOf(index, at + 1).sourceVersion;
        const record = recordOf({ ecosystem, source, fixed, publishedAt: timeOf(build.day) });
        found.push({ day: build.day, record });
      }
    }
  }
  return found.sort((a, b) => a.day - b.day);
}

/** Each source package of a model, with the index of its first binary package. */
function sourcesOf({ snapshot }: ModelHost): ReadonlyMap<string, number> {
  const sources = new Map<string, number>();
  for (const [index, { sourceName }] of snapshot.packages.entries())
    if (!sources.has(sourceName)) sources.set(sourceName, index);
  return sources;
}

interface Publication {
  readonly ecosystem: string;
  readonly source: string;
  readonly fixed: string;
  readonly publishedAt: Date;
}

function recordOf({ ecosystem, source, fixed, publishedAt }: Publication): object {
  const number = hashText(`${ecosystem} ${source} ${fixed}`);
  const { score, word } = severityOf(number);
  const time = publishedAt.toISOString();
  return {
    schema_version: '1.7.0',
    // Real numbers are shorter.
    id: `DSA-${100_000 + (number % 900_000)}-${1 + (mix(number, 1) % 999)}`,
    upstream: [`CVE-${publishedAt.getUTCFullYear()}-${1_000_000 + (number % 9_000_000)}`],
    modified: time,
    published: time,
    summary: `${word}: ${source} security update (made up)`,
    severity: [{ type: 'CVSS_V3', score }],
    affected: [
      {
        package: { ecosystem, name: source },
        ranges: [{ type: 'ECOSYSTEM', events: [{ introduced: '0' }, { fixed }] }],
      },
    ],
  };
}

function severityOf(number: number): (typeof severities)[number] {
  let drawn = createChance(number)('severity');
  for (const severity of severities) {
    if (drawn < severity.share) return severity;
    drawn -= severity.share;
  }
  return severities[1];
}
