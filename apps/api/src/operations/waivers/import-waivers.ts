import {
  joinDecisions,
  type PlannedDecision,
  planWaivers,
  readVex,
  type VexDocument,
} from '@plimsoll/advisories';
import type { Operations, VexImport } from '@plimsoll/contract';
import type { NewWaiver, Waiver, WaiverMatches } from '@plimsoll/db';
import { isJsonObject, type VexRejection } from '@plimsoll/model';
import { auditActorOf } from '../../auth/signed-in-user.ts';
import { validationFailed } from '../../http/request-fields.ts';
import type { OperationRequest } from '../operation-request.ts';
import type { ReadHandler } from '../read-operation.ts';
import { requireEnd } from './waivers.ts';

type Query = OperationRequest<Operations['importWaivers']>['query'];

/** Names in one waiver; the contract allows as many. */
const mostNames = 500;
/** Each is compared with every finding that it names. */
const mostDecisions = 1_000;
const maxReasonCharacters = 2_000;
const unstated = 'The document states no reason.';

/** POST /waivers/import */
export const importWaivers: ReadHandler<'importWaivers'> = async (request, { stores, clock }) => {
  const { body, query, caller } = request;
  requireEnd(query.expires_at, clock());
  const chosen = chosenHosts(query);
  const document = documentIn(body);
  const hostIds = [...new Set(document.statements.flatMap(({ product: { hostId } }) => hostId ?? []))];
  const hosts = await stores.waivers.tagsOf(caller.scope, hostIds);
  const plan = planWaivers(document.statements, {
    allHosts: chosen.allHosts,
    hostState(id) {
      const tags = hosts.get(id);
      if (tags === undefined) return 'unknown';
      const isChosen =
        chosen.allHosts || chosen.hostIds.includes(id) || chosen.tags.some((tag) => tags.includes(tag));
      return isChosen ? 'chosen' : 'not_chosen';
    },
  });
  if (plan.decisions.length > mostDecisions)
    throw validationFailed([
      { pointer: '', detail: `decides on more than ${mostDecisions} vulnerabilities; divide it` },
    ]);
  const known = await stores.waivers.knownNames(plan.decisions.flatMap(({ names }) => names));
  const named = plan.decisions.filter(({ names }) => names.some((name) => known.has(name)));
  const given = (decision: PlannedDecision): NewWaiver =>
    newWaiverOf(decision, document, chosen, query.expires_at);
  // An erratum of several CVEs is covered only by the decisions on all of them.
  const counts = await stores.waivers.countNew(caller.scope, named.map(given), { partly: true });
  const useful = named.filter((_decision, n) => (counts[n]?.hosts ?? 0) > 0);
  const joined = joinDecisions(useful, mostNames);
  const planned = joined.map(given);
  const isCheck = query.check_only === true || planned.length === 0;
  const created = isCheck
    ? planned.map(() => null)
    : await stores.waivers.create(caller.scope, planned, auditActorOf(request));
  const matches = await stores.waivers.countNew(caller.scope, planned);
  const rejected = [
    ...plan.rejected,
    ...rejectedOf(plan.decisions, named, 'unknown_vulnerability'),
    ...rejectedOf(named, useful, 'no_finding'),
  ];
  return {
    kind: 'json',
    status: isCheck ? 200 : 201,
    body: {
      format: document.format,
      document_id: document.id,
      statements: document.statements.length,
      accepted: document.statements.length - rejected.length,
      waivers: planned.map((waiver, n) => waiverAnswer(waiver, created[n] ?? null, joined[n], matches[n])),
      rejected: rejected.map(({ statement, reason }) => ({
        pointer: statement.pointer,
        vulnerability: statement.names[0] ?? '',
        product: statement.product.purl ?? statement.product.shown,
        reason,
      })),
    },
  };
};

interface Chosen {
  readonly allHosts: boolean;
  readonly tags: readonly string[];
  readonly hostIds: readonly string[];
}

/** Throws `validation_failed` unless hosts are chosen in one way. */
function chosenHosts({ all_hosts, tag = [], host = [] }: Query): Chosen {
  const ways = [all_hosts !== undefined, tag.length > 0, host.length > 0].filter(Boolean).length;
  if (ways !== 1)
    throw validationFailed([
      { pointer: '/all_hosts', detail: 'must be given, or else tag or host, and only one of them' },
    ]);
  return { allHosts: all_hosts !== undefined, tags: tag, hostIds: host };
}

/** Throws `validation_failed` for what is not a VEX document. */
function documentIn(body: unknown): VexDocument {
  const read = isJsonObject(body) ? readVex(body) : { kind: 'refused' as const, reason: 'unknown_format' };
  if (read.kind === 'vex') return read.document;
  const detail =
    read.reason === 'too_many_statements'
      ? 'has more than 5,000 statements; divide it'
      : 'is not an OpenVEX, CycloneDX or CSAF document';
  throw validationFailed([{ pointer: '', detail }]);
}

function newWaiverOf(
  { kind, names, purls, hostId, reason }: PlannedDecision,
  document: VexDocument,
  chosen: Chosen,
  expiresAt: Date,
): NewWaiver {
  const words = reason === '' ? unstated : reason;
  return {
    kind,
    advisories: names,
    packages: [],
    purls,
    hostIds: hostId === null ? chosen.hostIds : [hostId],
    tags: hostId === null ? chosen.tags : [],
    allHosts: hostId === null && chosen.allHosts,
    reason: words.slice(0, maxReasonCharacters),
    ticketUrl: null,
    origin: `${document.format} ${document.id}`.trim().slice(0, 300),
    expiresAt,
  };
}

function rejectedOf(
  before: readonly PlannedDecision[],
  left: readonly PlannedDecision[],
  reason: VexRejection,
) {
  const kept = new Set(left);
  return before
    .filter((decision) => !kept.has(decision))
    .flatMap(({ statements }) => statements.map((statement) => ({ statement, reason })));
}

function waiverAnswer(
  waiver: NewWaiver,
  created: Waiver | null,
  decision: PlannedDecision | undefined,
  matches: WaiverMatches | undefined,
): VexImport['waivers'][number] {
  return {
    id: created?.id ?? null,
    kind: waiver.kind,
    advisories: [...waiver.advisories],
    purls: [...waiver.purls],
    hosts: [...waiver.hostIds],
    tags: [...waiver.tags],
    all_hosts: waiver.allHosts,
    reason: waiver.reason,
    statements: decision?.statements.length ?? 0,
    matched_findings: matches?.findings ?? 0,
    matched_hosts: matches?.hosts ?? 0,
  };
}
