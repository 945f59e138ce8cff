import { statementKeys } from '@plimsoll/advisories';
import type { Advisory, AffectedPackage } from '@plimsoll/model';
import type { Interning } from '../../ingest/interning.ts';
import { releaseFacts } from '../../ingest/releases.ts';
import type { StagedItem } from './import-kind.ts';
import type { StagedStatement } from './staging.ts';

/** An advisory of a feed with its statements in stored form. */
export interface KeyedRecord {
  readonly feedId: string;
  readonly advisory: Advisory;
  readonly statements: readonly StagedStatement[];
  /** The number of its file, if other files, or records about other releases, can contain more of the same advisory. */
  readonly part?: number;
}

/** Feeds name few releases. */
const admitAll = async (): Promise<void> => undefined;

/** Interns the releases of an advisory's packages and computes the sort key of every fixed version. */
export async function keyRecord(
  interner: Pick<Interning, 'release'>,
  { feedId, item, part }: StagedItem<'advisories'>,
): Promise<KeyedRecord> {
  const statements: StagedStatement[] = [];
  for (const affected of item.packages) statements.push(await keyStatement(interner, affected));
  return { feedId, advisory: item, statements, ...(part === undefined ? {} : { part }) };
}

/** The record's digest depends on the order of the properties. */
async function keyStatement(
  interner: Pick<Interning, 'release'>,
  affected: AffectedPackage,
): Promise<StagedStatement> {
  const { name, names, severity, severitySource, builds, cves } = affected;
  const { id: releaseId } = await interner.release(releaseFacts(affected.release), admitAll);
  const { fix, buildsKey } = statementKeys(affected);
  const rest = { ...(names === undefined ? {} : { names }), ...(cves === undefined ? {} : { cves }) };
  return { releaseId, name, severity, severitySource, builds, buildsKey, ...rest, fix };
}
