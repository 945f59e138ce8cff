import type { CveDetail, Operations } from '@plimsoll/contract';
import type { FeedInUse } from '@plimsoll/db';
import { AppError } from '@plimsoll/model';
import type { ReadHandler } from '../read-operation.ts';
import { advisoryAnswer, advisoryDetailAnswer, countsAnswer, cveFactsAnswer } from './advisory-answer.ts';
import { countUnjudged } from './unjudged-hosts.ts';

/** GET /advisories/{id} */
export const getAdvisory: ReadHandler<Operations['getAdvisory']> = async ({ params, caller }, { stores }) => {
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
export const getCve: ReadHandler<Operations['getCve']> = async (
  { params, caller: { scope } },
  { stores },
) => {
  const id = params.id.toUpperCase();
  const [{ records, affected }, facts, hosts, { feeds }] = await Promise.all([
    stores.advisoryViews.aboutCve(scope, id),
    stores.cves.cveFacts([id]),
    stores.cveHosts.totals(scope, [id]),
    stores.fleet.summarise(scope),
  ]);
  const found = hosts.get(id);
  if (found === undefined) throw new Error('every CVE that was asked for has an entry');
  return {
    kind: 'json',
    status: 200,
    body: {
      id,
      known: found.isKnown,
      ...cveFactsAnswer(facts.get(id)),
      affected_hosts: countsAnswer(affected),
      unknown_hosts: found.totals.unknown,
      feeds: feeds.map(feedAnswer),
      advisories: records.map((record) => advisoryAnswer(record, null)),
    },
  };
};

function feedAnswer({ id, updatedAt, hosts }: FeedInUse): CveDetail['feeds'][number] {
  return { id, updated_at: updatedAt?.toISOString() ?? null, hosts };
}

/** The error for an advisory id that no feed has. */
export function advisoryNotFound(): AppError {
  return new AppError('not_found', 'No advisory has this id.');
}
