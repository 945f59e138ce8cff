import type { Operations } from '@plimsoll/contract';
import { AppError } from '@plimsoll/model';
import type { Handler } from '../http/operation-request.ts';
import { advisoryAnswer, advisoryDetailAnswer, countsAnswer, cveFactsAnswer } from './advisory-answer.ts';

/** GET /advisories/{id} */
export const getAdvisory: Handler<Operations['getAdvisory']> = async ({ params }, { stores }) => {
  const found = await stores.advisoryViews.find(params.id);
  if (found === null) throw advisoryNotFound();
  const facts = await stores.cves.cveFacts(found.records.flatMap(({ cves }) => cves));
  return { kind: 'json', status: 200, body: advisoryDetailAnswer(params.id, found, facts) };
};

/** GET /cves/{id} */
export const getCve: Handler<Operations['getCve']> = async ({ params }, { stores }) => {
  const id = params.id.toUpperCase();
  const [{ records, affected }, facts] = await Promise.all([
    stores.advisoryViews.aboutCve(id),
    stores.cves.cveFacts([id]),
  ]);
  if (records.length === 0 && !facts.has(id)) {
    throw new AppError('not_found', 'Nothing is known of a CVE of this id.');
  }
  return {
    kind: 'json',
    status: 200,
    body: {
      id,
      ...cveFactsAnswer(facts.get(id)),
      affected_hosts: countsAnswer(affected),
      advisories: records.map((record) => advisoryAnswer(record, null)),
    },
  };
};

/** The error for an id under which no feed has an advisory. */
export function advisoryNotFound(): AppError {
  return new AppError('not_found', 'There is no advisory of this id.');
}
