import {
  assessedPackage,
  changeOf,
  type HostUpgrade,
  inTermsOf,
  kernelOf,
  offersFix,
  type PackageSummary,
  summarisePackage,
} from '@plimsoll/advisories';
import type { HostId, PackageVersionId } from '@plimsoll/model';
import type { Exposure } from '../history/exposure-walk.ts';
import type { VersionChain } from '../history/version-chains.ts';
import type { HostTimeline } from './host-timeline.ts';
import type { MatchContent } from './match-contents.ts';
import type { SharedRows } from './shared-rows.ts';

/** When a fix reached a host; null where it has not. */
export interface Remediation {
  /** The first snapshot with an offer of a version that has the fix. */
  readonly offeredAt: Date | null;
  /** The snapshot from which on a version without the flaw was installed. */
  readonly installedAt: Date | null;
  /**
   * The snapshot from which on such a version ran: of a kernel its boot; of other packages the first one that says that no
   * service has to be restarted.
   */
  readonly runningAt: Date | null;
}

/** Since when a host was offered each update, and at which times no service had to be restarted. */
export interface HostOffers {
  readonly offers: readonly { readonly offer: HostUpgrade; readonly at: Date }[];
  /** In ascending order. */
  readonly restartedAt: readonly Date[];
}

/** Reads what the snapshots of a host say, those that were folded included. */
export async function loadHostOffers(shared: SharedRows, hostId: HostId): Promise<HostOffers> {
  const { client } = shared;
  const { rows } = await client.query<{ id: number; at: Date }>(
    `SELECT id, min(at) AS at FROM (
       SELECT u.id, s.received_at AS at FROM snapshots s CROSS JOIN LATERAL unnest(s.upgrade_ids) AS u (id) WHERE s.host_id = $1
       UNION ALL
       SELECT u.id, u.at FROM snapshots s JOIN folded_snapshots f ON f.snapshot_id = s.id
       CROSS JOIN LATERAL unnest(f.offer_ids, f.offered_at) AS u (id, at) WHERE s.host_id = $1) offered
     GROUP BY id`,
    [hostId],
  );
  await shared.readOffers(rows.map(({ id }) => id));
  const restarted = await client.query<{ at: Date }>(
    `SELECT received_at AS at FROM snapshots s WHERE host_id = $1 AND facts #>> '{services,restartRequired}' = 'no'
       AND facts #> '{services,toRestart}' = '[]'
       AND NOT jsonb_path_exists(facts, '$.failures[*] ? (@.section == "services")')
     UNION SELECT unnest(f.restarted_at) FROM snapshots s JOIN folded_snapshots f ON f.snapshot_id = s.id WHERE s.host_id = $1
     ORDER BY at`,
    [hostId],
  );
  return {
    offers: rows.flatMap(({ id, at }) => {
      const offer = shared.offers.get(id);
      return offer === undefined || offer.upgrade.phased ? [] : [{ offer, at }];
    }),
    restartedAt: restarted.rows.map(({ at }) => at),
  };
}

/** Answers when the fixes of exposures of one host reached it. */
export class Remediations {
  readonly #timeline: HostTimeline;
  readonly #known: HostOffers;
  readonly #affects: (version: PackageVersionId, content: MatchContent) => boolean;
  readonly #summaries = new Map<PackageVersionId, PackageSummary>();

  /** @param affects whether an advisory affected a version at the end of a match. */
  constructor(
    timeline: HostTimeline,
    known: HostOffers,
    affects: (version: PackageVersionId, content: MatchContent) => boolean,
  ) {
    this.#timeline = timeline;
    this.#known = known;
    this.#affects = affects;
  }

  /** @param content of the last version of the exposure. */
  of(chain: VersionChain, exposure: Exposure, content: MatchContent): Remediation {
    const { installedAt, runningAt } =
      chain.kind === 'booted' ? this.#kernel(exposure, content) : this.#package(chain, exposure);
    return { offeredAt: this.#offeredAt(exposure, content), installedAt, runningAt };
  }

  #package(chain: VersionChain, { until, untilCause }: Exposure): Omit<Remediation, 'offeredAt'> {
    const isReplaced =
      untilCause === 'package_changed' && chain.stays.some(({ from }) => from.getTime() === until?.getTime());
    if (!isReplaced || until === null) return { installedAt: null, runningAt: null };
    const runningAt = this.#known.restartedAt.find((at) => at >= until) ?? null;
    return { installedAt: until, runningAt };
  }

  /** A newer kernel of the flavour that the advisory does not affect. */
  #kernel(exposure: Exposure, content: MatchContent): Omit<Remediation, 'offeredAt'> {
    const { release, versions, kernels } = this.#timeline;
    const running = versions.get(exposure.lastVersion);
    const flavour = kernelOf(running)?.flavour;
    const times = kernels.flatMap(({ versionId, from, until }) => {
      const version = versions.get(versionId);
      if (version === undefined || kernelOf(version)?.flavour !== flavour) return [];
      const overlaps =
        (exposure.until === null || from <= exposure.until) && (until === null || until > exposure.from);
      if (!overlaps || changeOf(running?.version ?? '', version.version, release) !== 'upgrade') return [];
      return this.#affects(versionId, content) ? [] : [from.getTime()];
    });
    return {
      installedAt: times.length === 0 ? null : new Date(Math.min(...times)),
      runningAt: this.#isFixedKernelBooted(exposure, content) ? exposure.until : null,
    };
  }

  /** Whether an exposure ended with the boot of a kernel of the flavour that the advisory does not affect. */
  #isFixedKernelBooted({ until, untilCause, lastVersion }: Exposure, content: MatchContent): boolean {
    if (untilCause !== 'kernel_booted') return false;
    const { boots, versions } = this.#timeline;
    const next = boots.find(({ from }) => from.getTime() === until?.getTime());
    if (next === undefined || this.#affects(next.versionId, content)) return false;
    return kernelOf(versions.get(next.versionId))?.flavour === kernelOf(versions.get(lastVersion))?.flavour;
  }

  #offeredAt({ lastVersion }: Exposure, content: MatchContent): Date | null {
    const version = this.#timeline.versions.get(lastVersion);
    if (version === undefined || content.fixedVersion === null || content.fixedKey === null) return null;
    const { fix } = inTermsOf(
      {
        fix: {
          kind: 'fixed' as const,
          version: content.fixedVersion,
          service: content.fixedService,
          key: content.fixedKey,
        },
        ...(content.names === null ? {} : { names: content.names }),
      },
      version,
    );
    const subject = this.#summaryOf(lastVersion);
    if (fix.kind !== 'fixed' || subject === null) return null;
    const times = this.#known.offers.flatMap(({ offer, at }) =>
      offersFix(subject, offer, fix.key) ? [at.getTime()] : [],
    );
    return times.length === 0 ? null : new Date(Math.min(...times));
  }

  #summaryOf(id: PackageVersionId): PackageSummary | null {
    const known = this.#summaries.get(id);
    if (known !== undefined) return known;
    const version = this.#timeline.versions.get(id);
    if (version === undefined) return null;
    const summary = summarisePackage(assessedPackage(version, []));
    this.#summaries.set(id, summary);
    return summary;
  }
}
