import type { Operations } from '@plimsoll/contract';
import type { AffectedHostPage } from '@plimsoll/db';
import { csvAnswer } from '../../http/csv-answer.ts';
import type { ReadHandler } from '../read-operation.ts';
import { advisoryNotFound } from './advisories.ts';
import { affectedHostAnswers } from './affected-hosts.ts';

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
export const exportAffectedHosts: ReadHandler<Operations['exportAffectedHosts']> = async (
  { params, query, signal, caller },
  { stores },
) => {
  const includeHidden = query.include_hidden ?? false;
  const pages = await stores.advisoryViews.everyHostOf(caller.scope, params.id, { includeHidden });
  if (pages === null) throw advisoryNotFound();
  return csvAnswer({
    fileName: `plimsoll-${params.id}-hosts.csv`,
    columns: [...hostColumns, ...packageColumns],
    rows: rowsOf(pages, includeHidden, signal),
  });
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
