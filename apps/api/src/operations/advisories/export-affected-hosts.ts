import type { AffectedHostPage } from '@plimsoll/db';
import { csvAnswer } from '../../http/csv-answer.ts';
import type { ReadHandler } from '../read-operation.ts';
import { advisoryNotFound } from './advisories.ts';
import { affectedHostAnswers } from './affected-hosts.ts';
import { countUnjudged } from './unjudged-hosts.ts';

const hostColumns = ['host_id', 'display_name', 'hostname', 'os_name', 'os_version', 'tags'] as const;
const packageColumns = [
  'name',
  'architecture',
  'installed_version',
  'source_name',
  'source_version',
  'severity',
  'fixed_version',
  'fix_state',
  'candidate_version',
  'advisory_ids',
] as const;

/** GET /advisories/{id}/hosts.csv */
export const exportAffectedHosts: ReadHandler<'exportAffectedHosts'> = async (
  { params, query, signal, caller },
  { stores },
) => {
  const includeHidden = query.include_hidden ?? false;
  const found = await stores.advisoryViews.find(caller.scope, params.id);
  const pages = await stores.advisoryViews.everyHostOf(caller.scope, params.id, { includeHidden });
  if (pages === null || found === null) throw advisoryNotFound();
  const unknown = countUnjudged((await stores.fleet.summarise(caller.scope)).silent, found.records);
  const answer = await csvAnswer({
    // The table alone, perhaps an empty one, looks like everything.
    fileName: `plimsoll-${params.id}-hosts${unknown > 0 ? '-incomplete' : ''}.csv`,
    columns: [...hostColumns, ...packageColumns],
    rows: rowsOf(pages, includeHidden, signal),
  });
  return { ...answer, headers: { 'Plimsoll-Unknown-Hosts': String(unknown), ...answer.headers } };
};

async function* rowsOf(pages: AsyncIterable<AffectedHostPage>, includeHidden: boolean, signal: AbortSignal) {
  for await (const page of pages) {
    const hosts = await affectedHostAnswers(page.hosts, page.statementIds, includeHidden, signal);
    yield hosts.flatMap((host) =>
      host.packages.map((found) => [
        ...hostColumns.map((column) => host[column]),
        ...packageColumns.map((column) => found[column]),
      ]),
    );
  }
}
