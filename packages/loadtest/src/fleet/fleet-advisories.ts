import type { Platform } from '@plimsoll/model';
import type { BuiltVersion } from './archive.ts';
import { createChance, hashText, mix } from './chance.ts';
import type { Fleet } from './fleet.ts';
import type { ModelHost } from './model-host.ts';

/** An advisory about a security build of a fleet's archives. */
export interface FleetAdvisory {
  /** The day of the build and of the advisory. */
  readonly day: number;
  /** The one CVE that it closes. Builds of one source package with equal numbers close the same one in every release. */
  readonly cve: string;
  readonly severity: 'Critical' | 'Important' | 'Moderate' | 'Low';
  /** The record in OSV's format. */
  readonly record: object;
}

const severities = [
  { share: 0.1, score: 'CVSS:3.1/AV:N/AC:L/PR:N/UI:N/S:U/C:H/I:H/A:H', word: 'Critical' },
  { share: 0.4, score: 'CVSS:3.1/AV:N/AC:L/PR:N/UI:N/S:U/C:N/I:N/A:H', word: 'Important' },
  { share: 0.4, score: 'CVSS:3.1/AV:N/AC:L/PR:N/UI:N/S:U/C:L/I:N/A:N', word: 'Moderate' },
  { share: 0.1, score: 'CVSS:3.1/AV:L/AC:H/PR:L/UI:N/S:U/C:L/I:N/A:N', word: 'Low' },
] as const;

/** How a distribution publishes in OSV's format; those that do not are missing. */
interface Publisher {
  readonly ecosystem: (platform: Platform) => string;
  readonly id: (number: number, publishedAt: Date) => string;
  /** Whether its records name binary packages; otherwise the source package. */
  readonly namesBinaries: boolean;
}

// Real numbers are shorter.
const publishers: Readonly<Record<string, Publisher>> = {
  debian: {
    ecosystem: ({ osVersionId }) => `Debian:${osVersionId}`,
    id: (number) => `DSA-${100_000 + (number % 900_000)}-${1 + (mix(number, 1) % 999)}`,
    namesBinaries: false,
  },
  almalinux: {
    ecosystem: ({ osVersionId }) => `AlmaLinux:${osVersionId.split('.')[0]}`,
    id: (number, publishedAt) => `ALSA-${publishedAt.getUTCFullYear()}:${1_000_000 + (number % 9_000_000)}`,
    namesBinaries: true,
  },
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
    const { platform } = model.snapshot;
    const publisher = publishers[platform.osId];
    if (publisher === undefined) continue;
    const archive = fleet.archive(number);
    for (const [source, binaries] of sourcesOf(model)) {
      for (const [at, build] of archive.buildsOf(source, to).entries()) {
        if (!build.isSecurity || build.day < from) continue;
        const fixes = binaries.map(({ name, index }) => ({ name, ...archive.versionOf(index, at + 1) }));
        const cve = cveOf(fleet, { source, at, to }, timeOf);
        const publishedAt = timeOf(build.day);
        found.push({
          day: build.day,
          ...advisoryOf({ publisher, platform, source, fixes, cve, publishedAt }),
        });
      }
    }
  }
  return found.sort((a, b) => a.day - b.day);
}

interface Binary {
  readonly name: string;
  /** Its position among the packages of the model. */
  readonly index: number;
}

/** The binary packages of each source package of a model. */
function sourcesOf({ snapshot }: ModelHost): ReadonlyMap<string, readonly Binary[]> {
  const sources = new Map<string, Binary[]>();
  for (const [index, { name, sourceName }] of snapshot.packages.entries())
    sources.set(sourceName, [...(sources.get(sourceName) ?? []), { name, index }]);
  return sources;
}

/** The CVE that build `at` of a source package closes, with the year of the first release that published it. */
function cveOf(
  fleet: Fleet,
  { source, at, to }: { readonly source: string; readonly at: number; readonly to: number },
  timeOf: (day: number) => Date,
): string {
  const builds = fleet.models.map(
    (model, number) =>
      model.snapshot.packages.some(({ sourceName }) => sourceName === source) &&
      fleet.archive(number).buildsOf(source, to)[at],
  );
  const days = builds.flatMap((build) => (build ? [build.day] : []));
  const year = timeOf(Math.min(...days)).getUTCFullYear();
  return `CVE-${year}-${1_000_000 + (hashText(`${source} ${at}`) % 9_000_000)}`;
}

interface Publication {
  readonly publisher: Publisher;
  readonly platform: Platform;
  readonly source: string;
  /** The binary packages with their fixed versions. */
  readonly fixes: readonly (BuiltVersion & { readonly name: string })[];
  readonly cve: string;
  readonly publishedAt: Date;
}

function advisoryOf({
  publisher,
  platform,
  source,
  fixes,
  cve,
  publishedAt,
}: Publication): Omit<FleetAdvisory, 'day'> {
  const ecosystem = publisher.ecosystem(platform);
  const { score, word } = severityOf(hashText(cve));
  const time = publishedAt.toISOString();
  const sourceFix = fixes[0]?.sourceVersion ?? '';
  const named = publisher.namesBinaries
    ? new Map(fixes.map(({ name, version }) => [name, version]))
    : new Map([[source, sourceFix]]);
  const record = {
    schema_version: '1.7.0',
    id: publisher.id(hashText(`${ecosystem} ${source} ${sourceFix}`), publishedAt),
    upstream: [cve],
    modified: time,
    published: time,
    summary: `${word}: ${source} security update (made up)`,
    severity: [{ type: 'CVSS_V3', score }],
    affected: [...named].map(([name, fixed]) => ({
      package: { ecosystem, name },
      ranges: [{ type: 'ECOSYSTEM', events: [{ introduced: '0' }, { fixed }] }],
    })),
  };
  return { cve, severity: word, record };
}

function severityOf(number: number): (typeof severities)[number] {
  let drawn = createChance(number)('severity');
  for (const severity of severities) {
    if (drawn < severity.share) return severity;
    drawn -= severity.share;
  }
  return severities[1];
}
