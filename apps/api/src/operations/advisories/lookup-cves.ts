import { mostCvesLookedUp } from '@plimsoll/contract';
import type { ReadHandler } from '../read-operation.ts';
import { findCveIds } from './find-cve-ids.ts';

/** The most ids that are named although they are not answered. */
const mostLeftOut = 1_000;

/** POST /cves/lookup */
export const lookupCves: ReadHandler<'lookupCves'> = async ({ body, caller }, { stores }) => {
  const { ids, notUnderstood } =
    body.ids === undefined
      ? findCveIds(body.text ?? '')
      : { ids: [...new Set(body.ids.map((id) => id.toUpperCase()))], notUnderstood: [] };
  const asked = ids.slice(0, mostCvesLookedUp);
  const leftOut = ids.slice(mostCvesLookedUp);
  const [counted, facts] = await Promise.all([
    stores.cveHosts.totals(caller.scope, asked),
    stores.cves.cveFacts(asked),
  ]);
  return {
    kind: 'json',
    status: 200,
    body: {
      cves: [...counted].map(([id, { isKnown, totals }]) => ({
        id,
        known: isKnown,
        known_exploited: facts.get(id)?.exploitedSince != null,
        epss: facts.get(id)?.epss ?? null,
        totals: { ...totals },
      })),
      left_out: leftOut.slice(0, mostLeftOut),
      left_out_total: leftOut.length,
      not_understood: [...notUnderstood],
    },
  };
};
