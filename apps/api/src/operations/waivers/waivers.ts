import { readPackagePattern } from '@plimsoll/advisories';
import type { Operations, Waiver } from '@plimsoll/contract';
import type { NewWaiver, Waiver as StoredWaiver, WaiverMatches } from '@plimsoll/db';
import { AppError, isCveName, longestWaiverDays } from '@plimsoll/model';
import { z } from 'zod';
import { auditActorOf } from '../../auth/signed-in-user.ts';
import { askedPage } from '../../http/page.ts';
import { validationFailed } from '../../http/request-fields.ts';
import { given } from '../given.ts';
import type { Handler } from '../operation-request.ts';
import type { ReadHandler } from '../read-operation.ts';

const dayMs = 24 * 60 * 60_000;

/** GET /waivers */
export const listWaivers: ReadHandler<'listWaivers'> = async (request, { stores }) => {
  const { query, caller } = request;
  const page = askedPage(request, '/api/v1/waivers', z.uuid());
  const { limit: _limit, cursor: _cursor, ...filter } = query;
  const found = await stores.waivers.list(caller.scope, given(filter), {
    limit: page.limit + 1,
    before: page.after,
  });
  const { rows, headers } = page.of(found.waivers, found.total, ({ id }) => id);
  const matches = await stores.waivers.matches(caller.scope, rows);
  return {
    kind: 'json',
    status: 200,
    headers,
    body: rows.map((waiver) => waiverAnswer(waiver, matches.get(waiver.id))),
  };
};

/** GET /waivers/{id} */
export const getWaiver: ReadHandler<'getWaiver'> = async ({ params, caller }, { stores }) => {
  const waiver = await stores.waivers.find(caller.scope, params.id);
  if (waiver === null) throw waiverNotFound();
  const matches = await stores.waivers.matches(caller.scope, [waiver]);
  return { kind: 'json', status: 200, body: waiverAnswer(waiver, matches.get(waiver.id)) };
};

/** POST /waivers */
export const createWaiver: ReadHandler<'createWaiver'> = async (request, { stores, clock }) => {
  const { body, caller } = request;
  if (body.expires_at !== undefined) requireEnd(body.expires_at, clock());
  requirePurls(body.purls ?? []);
  if (body.check_only) {
    const waiver = newWaiverOf(body);
    const preview = await stores.waivers.preview(caller.scope, waiver);
    const counts = {
      matched_findings: preview.findings,
      matched_hosts: preview.hosts,
      uncounted_hosts: preview.uncountedHosts,
      partly_known_hosts: preview.partlyKnownHosts,
    };
    return { kind: 'json', status: 200, body: counts };
  }
  const [waiver] = await stores.waivers.create(caller.scope, [newWaiverOf(body)], auditActorOf(request));
  if (waiver === undefined) throw new Error('the waiver was not stored');
  const matches = await stores.waivers.matches(caller.scope, [waiver]);
  return { kind: 'json', status: 201, body: waiverAnswer(waiver, matches.get(waiver.id)) };
};

/** PATCH /waivers/{id} */
export const updateWaiver: ReadHandler<'updateWaiver'> = async (request, { stores, clock }) => {
  const { body, params, caller } = request;
  if (body.expires_at !== undefined) requireEnd(body.expires_at, clock());
  const changes = {
    ...(body.reason === undefined ? {} : { reason: body.reason }),
    ...(body.ticket_url === undefined ? {} : { ticketUrl: body.ticket_url }),
    ...(body.expires_at === undefined ? {} : { expiresAt: body.expires_at }),
  };
  const waiver = await stores.waivers.update(caller.scope, params.id, changes, auditActorOf(request));
  if (waiver === null) throw waiverNotFound();
  const matches = await stores.waivers.matches(caller.scope, [waiver]);
  return { kind: 'json', status: 200, body: waiverAnswer(waiver, matches.get(waiver.id)) };
};

/** DELETE /waivers/{id} */
export const endWaiver: Handler<'endWaiver'> = async (request, { stores }) => {
  const { params, caller } = request;
  if ((await stores.waivers.end(caller.scope, params.id, auditActorOf(request))) === null)
    throw waiverNotFound();
  return { kind: 'empty', status: 204 };
};

function waiverNotFound(): AppError {
  return new AppError('not_found', 'No waiver has this id.');
}

/** Throws `validation_failed` unless a waiver may end at the time. */
export function requireEnd(end: Date, now: Date): void {
  const detail =
    end <= now
      ? 'must be in the future'
      : end.getTime() > now.getTime() + longestWaiverDays * dayMs
        ? `must be at most ${longestWaiverDays} days ahead`
        : null;
  if (detail !== null) throw validationFailed([{ pointer: '/expires_at', detail }]);
}

/** Throws `validation_failed` unless every purl is of a package that hosts can have. */
function requirePurls(purls: readonly string[]): void {
  const errors = purls.flatMap((purl, index) =>
    readPackagePattern(purl) === null
      ? [{ pointer: `/purls/${index}`, detail: 'is not the purl of a deb or rpm package of a known release' }]
      : [],
  );
  if (errors.length > 0) throw validationFailed(errors);
}

function newWaiverOf(body: z.output<Operations['createWaiver']['body']['schema']>): NewWaiver {
  return {
    kind: body.kind,
    advisories: [...new Set((body.advisories ?? []).map(asNamed))],
    packages: body.packages ?? [],
    purls: [...new Set(body.purls ?? [])],
    hostIds: body.hosts ?? [],
    tags: body.tags ?? [],
    allHosts: body.all_hosts === true,
    // The contract requires both unless it is only a check.
    reason: body.reason ?? '',
    ticketUrl: body.ticket_url,
    expiresAt: body.expires_at ?? new Date(0),
    origin: null,
  };
}

/** CVEs are stored in upper case, as feeds name them. */
function asNamed(name: string): string {
  const upper = name.trim().toUpperCase();
  return isCveName(upper) ? upper : name.trim();
}

function waiverAnswer(waiver: StoredWaiver, matches: WaiverMatches | undefined): Waiver {
  return {
    id: waiver.id,
    kind: waiver.kind,
    advisories: [...waiver.advisories],
    packages: [...waiver.packages],
    purls: [...waiver.purls],
    hosts: [...waiver.hostIds],
    tags: [...waiver.tags],
    all_hosts: waiver.allHosts,
    reason: waiver.reason,
    ticket_url: waiver.ticketUrl,
    origin: waiver.origin,
    created_by: waiver.createdBy,
    created_at: waiver.createdAt.toISOString(),
    expires_at: waiver.expiresAt.toISOString(),
    ended_at: waiver.endedAt?.toISOString() ?? null,
    end_cause: waiver.endCause,
    ended_by: waiver.endedBy,
    matched_findings: matches?.findings ?? 0,
    matched_hosts: matches?.hosts ?? 0,
  };
}
