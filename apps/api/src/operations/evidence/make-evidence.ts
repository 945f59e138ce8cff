import { createHash } from 'node:crypto';
import { rulesVersion } from '@plimsoll/advisories';
import { type Operations, zipType } from '@plimsoll/contract';
import type { EvidencePeriod, FeedRow, Waiver } from '@plimsoll/db';
import { hostCount, productVersion } from '@plimsoll/model';
import {
  evidenceFormat,
  manifestName,
  signatureName,
  signingFingerprint,
  signManifest,
} from '@plimsoll/secrets';
import { auditActorOf, nameOf, type UserCaller } from '../../auth/signed-in-user.ts';
import { plainName } from '../../http/csv-answer.ts';
import { validationFailed } from '../../http/request-fields.ts';
import type { ApiStores } from '../../stores.ts';
import { isEverSynced } from '../feeds/is-ever-synced.ts';
import { cohortsAnswer } from '../fleet/time-to-patch.ts';
import type { OperationRequest } from '../operation-request.ts';
import { policyAnswer } from '../policies/due-policy.ts';
import type { ReadHandler } from '../read-operation.ts';
import { apiVersion } from '../service/api-version.ts';
import { EvidenceArchive } from './evidence-archive.ts';
import { evidenceNotes } from './evidence-notes.ts';
import { type EvidenceSubject, evidenceSubject } from './evidence-subject.ts';
import { feedRecord } from './feed-notes.ts';
import { type GatheredHosts, gatherHosts } from './gather-hosts.ts';
import { type BecameFixable, cveStates, type EvidenceDocument, writeFiles } from './pack-files.ts';

type EvidenceRequest = OperationRequest<Operations['makeEvidence']>;
type EvidenceContext = Parameters<ReadHandler<'makeEvidence'>>[1];
type SigningKey = Awaited<ReturnType<EvidenceContext['evidenceSecrets']['current']>>;

/** GET /evidence */
export const makeEvidence: ReadHandler<'makeEvidence'> = async (request, context) => {
  const { query, caller } = request;
  const { stores, clock, evidenceSecrets } = context;
  const period = periodOf(query, clock());
  // The key first: without it the work would be for nothing.
  const key = await evidenceSecrets.current();
  const subject = await evidenceSubject(stores, caller.scope, query, period);
  const fileName = plainName(
    `plimsoll-evidence-${subject.kind}-${subject.name.slice(0, 60)}-${dayOf(period.from)}-${dayOf(period.to)}.zip`,
  );
  return {
    kind: 'pieces',
    status: 200,
    type: zipType,
    headers: { 'Content-Disposition': `attachment; filename="${fileName}"` },
    pieces: packPieces(new EvidenceArchive(period.now), (archive) =>
      writePack(archive, request, context, { subject, period, key }),
    ),
    cut: null,
  };
};

/**
 * An archive while it is written, a few pieces ahead. A caller that takes no more ends the writing, too.
 */
async function* packPieces(
  archive: EvidenceArchive,
  write: (archive: EvidenceArchive) => Promise<void>,
): AsyncGenerator<Uint8Array> {
  const written = write(archive).catch((error: Error) => archive.fail(error));
  try {
    yield* archive.pieces;
  } finally {
    await written;
  }
}

/** Writes a pack. One that breaks off has no directory and no manifest, so that no program takes it for a whole one. */
async function writePack(
  archive: EvidenceArchive,
  request: EvidenceRequest,
  { stores }: EvidenceContext,
  {
    subject,
    period,
    key,
  }: { readonly subject: EvidenceSubject; readonly period: EvidencePeriod; readonly key: SigningKey },
): Promise<void> {
  const { caller, signal } = request;
  const hasPolicy = (await stores.policies.duePolicy()).policy.rules.length > 0;
  const feeds = await stores.feeds.list();
  const isKevKnown = isEverSynced(feeds, 'cisa-kev');
  const of = { scope: caller.scope, archive, signal, hasPolicy, isKevKnown };
  const gathered = await gatherHosts(stores, subject, period, of);
  const document = await documentOf(stores, caller, { subject, period, key, gathered, feeds });
  const files = [...gathered.files, ...(await writeFiles(archive, document))];
  if (subject.cve !== null) {
    const states = cveStates(stores, caller.scope, subject.cve, signal);
    files.push(await archive.add('cve-hosts.csv', states));
  }
  const { manifest, signature } = signManifest(
    {
      format: evidenceFormat,
      made_at: period.now.toISOString(),
      made_by: document.madeBy,
      subject: subject.words,
      from: period.from.toISOString(),
      to: period.to.toISOString(),
      complete: true,
      notes: document.notes,
      files,
    },
    key,
  );
  await stores.audit.note({
    action: 'evidence.made',
    actor: auditActorOf(request),
    target: subject.kind === 'host' ? { kind: 'host', id: subject.value, name: null } : null,
    details: {
      subject: subject.words,
      from: period.from.toISOString(),
      to: period.to.toISOString(),
      hosts: gathered.tally.hosts,
      manifest_sha256: createHash('sha256').update(manifest).digest('hex'),
      fingerprint: document.fingerprint,
    },
  });
  await archive.add(manifestName, [manifest.toString()]);
  await archive.add(signatureName, [signature.toString()]);
  archive.end();
}

async function documentOf(
  stores: EvidenceContext['stores'],
  caller: UserCaller,
  of: Pick<EvidenceDocument, 'subject' | 'period' | 'gathered'> & {
    readonly key: SigningKey;
    readonly feeds: readonly FeedRow[];
  },
): Promise<EvidenceDocument> {
  const { key, feeds, ...made } = of;
  const { period, gathered, subject } = made;
  const [bounds, policy, shownPolicy, waivers, becameFixable] = await Promise.all([
    stores.evidence.bounds(caller.scope, period),
    stores.policies.duePolicy(),
    policyAnswer(stores, caller.scope),
    waiversIn(stores, caller, period),
    becameFixableIn(stores, subject, period),
  ]);
  const { tally } = gathered;
  const limits = limitsOf(subject, gathered);
  return {
    ...made,
    madeBy: nameOf(caller),
    fingerprint: signingFingerprint(key.publicBytes),
    software: `Plimsoll ${productVersion}, matching rules ${rulesVersion}`,
    notes: evidenceNotes({ period, scope: caller.scope, bounds, policy, feeds, tally, limits }),
    bounds,
    policy: {
      preset: shownPolicy.preset,
      rules: shownPolicy.rules,
      changed_at: shownPolicy.changed_at,
      changed_by: shownPolicy.changed_by,
    },
    feeds: feeds.map(feedRecord),
    waivers: waivers.map(waiverRecord),
    becameFixable,
    scope: caller.scope.kind === 'tagged' ? caller.scope.tags : null,
    versions: { software: productVersion, api: apiVersion, rules: rulesVersion, format: evidenceFormat },
  };
}

function periodOf(
  { from, to }: { readonly from: Date; readonly to?: Date | undefined },
  now: Date,
): EvidencePeriod {
  const end = to ?? now;
  if (end > now) throw validationFailed([{ pointer: '/to', detail: 'must not be in the future' }]);
  if (from >= end) throw validationFailed([{ pointer: '/from', detail: 'must be earlier than "to"' }]);
  return { from, to: end, now };
}

/** What of its subject a pack cannot show. */
function limitsOf(
  { limits }: EvidenceSubject,
  { retiredEarlier }: Pick<GatheredHosts, 'retiredEarlier'>,
): readonly string[] {
  if (retiredEarlier === 0) return limits;
  return [
    ...limits,
    `Not in the pack: ${hostCount(retiredEarlier)} with the tag, retired before the period.`,
  ];
}

/** Shares as GET /fleet/time-to-patch has them; null of one CVE, by which they are not counted. */
async function becameFixableIn(
  { timeToPatch }: Pick<ApiStores, 'timeToPatch'>,
  { hosts, cve }: EvidenceSubject,
  period: EvidencePeriod,
): Promise<BecameFixable | null> {
  if (cve !== null) return null;
  const times = await timeToPatch.read({ ...period, tags: [], hosts, severity: null });
  return { closed_within_days: cohortsAnswer(times.all), hosts_not_counted_yet: times.uncountedHosts };
}

function dayOf(at: Date): string {
  return at.toISOString().slice(0, 10);
}

/** Waivers per statement. */
const waiversPerPage = 1_000;

/** The waivers that applied in a period to hosts that the caller may see, the newest first. */
async function waiversIn(
  { waivers }: Pick<ApiStores, 'waivers'>,
  { scope }: UserCaller,
  { from, to }: EvidencePeriod,
): Promise<readonly Waiver[]> {
  const found: Waiver[] = [];
  for (let before: string | null = null; ; ) {
    const page = await waivers.list(scope, {}, { limit: waiversPerPage, before });
    found.push(...page.waivers.filter((one) => one.createdAt < to && (one.endedAt ?? one.expiresAt) > from));
    const last = page.waivers.at(-1);
    if (last === undefined || page.waivers.length < waiversPerPage) return found;
    before = last.id;
  }
}

function waiverRecord(waiver: Waiver) {
  return {
    id: waiver.id,
    kind: waiver.kind,
    advisories: waiver.advisories,
    packages: waiver.packages,
    purls: waiver.purls,
    hosts: waiver.hostIds,
    tags: waiver.tags,
    all_hosts: waiver.allHosts,
    reason: waiver.reason,
    ticket_url: waiver.ticketUrl,
    created_by: waiver.createdBy,
    created_at: waiver.createdAt.toISOString(),
    ends_at: (waiver.endedAt ?? waiver.expiresAt).toISOString(),
  };
}
