import type { CveDetail } from '@plimsoll/contract';
import type { CveBackground, CveFix, FeedInUse } from '@plimsoll/db';
import { AppError } from '@plimsoll/model';
import { tagListsOf } from '../fleet/tag-lists.ts';
import type { ReadHandler } from '../read-operation.ts';
import { advisoryAnswer, advisoryDetailAnswer, countsAnswer, cveFactsAnswer } from './advisory-answer.ts';
import { countUnjudged } from './unjudged-hosts.ts';

/** GET /advisories/{id} */
export const getAdvisory: ReadHandler<'getAdvisory'> = async ({ params, caller }, { stores }) => {
  const found = await stores.advisoryViews.find(caller.scope, params.id);
  if (found === null) throw advisoryNotFound();
  const [facts, { silent }] = await Promise.all([
    stores.cves.cveFacts(found.records.flatMap(({ cves }) => cves)),
    stores.fleet.summarise(caller.scope),
  ]);
  const unknownHosts = countUnjudged(silent, found.records);
  return {
    kind: 'json',
    status: 200,
    body: advisoryDetailAnswer(params.id, { ...found, unknownHosts }, facts),
  };
};

/** GET /cves/{id} */
export const getCve: ReadHandler<'getCve'> = async ({ params, caller: { scope } }, { stores }) => {
  const id = params.id.toUpperCase();
  const [{ records, affected }, facts, hosts, { feeds }, background, allFeeds] = await Promise.all([
    stores.advisoryViews.aboutCve(scope, id),
    stores.cves.cveFacts([id]),
    stores.cveHosts.totals(scope, [id]),
    stores.fleet.summarise(scope),
    stores.cveBackgrounds.about(scope, id),
    stores.feeds.list(),
  ]);
  const catalog = allFeeds.find((feed) => feed.id === 'cisa-kev');
  const found = hosts.get(id);
  if (found === undefined) throw new Error('every CVE that was asked for has an entry');
  return {
    kind: 'json',
    status: 200,
    body: {
      id,
      known: found.isKnown,
      ...cveFactsAnswer(facts.get(id)),
      exploited_data_at: catalog?.updatedAt?.toISOString() ?? null,
      affected_hosts: countsAnswer(affected),
      unknown_hosts: found.totals.unknown,
      feeds: feeds.map(feedAnswer),
      advisories: records.map((record) => advisoryAnswer(record, null)),
      published_at: found.publishedAt?.toISOString() ?? null,
      ...backgroundAnswer(background),
    },
  };
};

/** GET /cves/{id}/progress */
export const getCveProgress: ReadHandler<'getCveProgress'> = async (
  { params, caller: { scope } },
  { stores, clock },
) => {
  const id = params.id.toUpperCase();
  const now = (await stores.cveHosts.totals(scope, [id])).get(id);
  if (now === undefined) throw new Error('every CVE that was asked for has an entry');
  const { publishedAt, totals } = now;
  const tags = tagListsOf(scope, undefined);
  const progress = await stores.exposures.progressOfCve(id, { publishedAt, tags, now: clock() });
  return {
    kind: 'json',
    status: 200,
    body: {
      published_at: publishedAt?.toISOString() ?? null,
      unknown_hosts: totals.unknown,
      known_from: progress.knownFrom?.toISOString() ?? null,
      first_seen_at: progress.firstSeenAt?.toISOString() ?? null,
      last_seen_at: progress.lastSeenAt?.toISOString() ?? null,
      points: progress.points.map(({ day, affected, closed }) => ({
        day,
        affected_hosts: affected,
        closed_hosts: closed,
      })),
    },
  };
};

type BackgroundFields =
  | 'texts'
  | 'ratings'
  | 'exploited_due_on'
  | 'exploited_in_ransomware'
  | 'epss_percentile'
  | 'epss_at'
  | 'fixes'
  | 'fixes_total';

function backgroundAnswer(background: CveBackground): Pick<CveDetail, BackgroundFields> {
  const { texts, cvss, kev, epssPercentile, epssAt, fixes, fixesTotal } = background;
  return {
    texts: texts.map(({ source, text }) => ({ source, text })),
    ratings: cvss.map(({ score, vector, feeds }) => ({ score, vector, feeds: [...feeds] })),
    exploited_due_on: kev?.dueOn?.toISOString().slice(0, 10) ?? null,
    exploited_in_ransomware: kev?.inRansomware ?? null,
    epss_percentile: epssPercentile,
    epss_at: epssAt?.toISOString() ?? null,
    fixes: fixes.map(fixAnswer),
    fixes_total: fixesTotal,
  };
}

function fixAnswer(fix: CveFix): CveDetail['fixes'][number] {
  return {
    advisory_id: fix.advisoryId,
    feed: fix.feed,
    kind: fix.kind,
    published_at: fix.publishedAt?.toISOString() ?? null,
    release: fix.release,
    hosts: fix.hosts,
    packages: [...fix.packages],
    package_count: fix.packageCount,
    severity: fix.severity,
    fixed_version: fix.fixedVersion,
    service: fix.service,
    unfixed_reason: fix.unfixedReason,
    module: fix.module,
    line: fix.line,
  };
}

function feedAnswer({ id, updatedAt, hosts }: FeedInUse): CveDetail['feeds'][number] {
  return { id, updated_at: updatedAt?.toISOString() ?? null, hosts };
}

/** The error for an advisory id that no feed has. */
export function advisoryNotFound(): AppError {
  return new AppError('not_found', 'No advisory has this id.');
}
