import { cachedValue, type Database, type SchemaCheck } from '@plimsoll/db';
import { type Check, checkStates } from '@plimsoll/model';
import {
  type CheckedFolder,
  certificateCheck,
  diskCheck,
  type FolderSpace,
  readSpaces,
  runChecks,
  serviceChecks,
} from '@plimsoll/process';
import type { QueueBackend } from '@plimsoll/queue';
import { appErrorOf } from '../http/app-error-of.ts';
import type { KeptCertificate } from '../tls/kept-certificate.ts';

/** Longer than the page polls: many readers cost one look. */
const freshMs = 30_000;

/** What an API process finds, worst first, and the space of its folders. */
export interface SystemChecks {
  readonly checks: readonly Check[];
  readonly spaces: readonly FolderSpace[];
}

/** What the checks look at. */
interface Needs {
  readonly database: Database;
  readonly schema: SchemaCheck;
  readonly settings: {
    readonly queueBackend: QueueBackend;
    readonly dataDir: string;
    readonly downloadDir: string;
  };
  readonly certificate: Pick<KeptCertificate, 'current' | 'failure'> | null;
  clock(): Date;
}

/** Returns a function that makes the checks, at most every 30 s. */
export function createSystemChecks(context: Needs): () => Promise<SystemChecks> {
  return cachedValue(() => look(context), { freshMs: () => freshMs }).get;
}

async function look({ database, schema, settings, certificate, clock }: Needs): Promise<SystemChecks> {
  const sentenceOf = (error: unknown): string => appErrorOf(error).message;
  const { queueBackend, dataDir, downloadDir } = settings;
  const folders: readonly CheckedFolder[] = [
    { name: 'data', path: dataDir },
    { name: 'downloads', path: downloadDir },
  ];
  const redis = queueBackend.kind === 'redis' ? queueBackend : null;
  const sources = { db: database, schema, redis, roles: null, sentenceOf, clock };
  const [looks, spaces] = await Promise.all([serviceChecks(sources), readSpaces(folders)]);
  const own = {
    disk: async () => diskCheck(spaces),
    certificate: async () =>
      certificateCheck(certificate?.current() ?? null, certificate?.failure() ?? null, clock()),
  };
  const checks = await runChecks({ ...looks, ...own }, sentenceOf);
  return {
    checks: checks.toSorted((a, b) => checkStates.indexOf(a.state) - checkStates.indexOf(b.state)),
    spaces,
  };
}
