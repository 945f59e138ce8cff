import type { ExposureAnswer, ExposureQuery } from '@plimsoll/contract';
import type { ExposureFilter, HostExposure } from '@plimsoll/db';
import { z } from 'zod';
import { askedPage } from '../../http/page.ts';
import { validationFailed } from '../../http/request-fields.ts';
import { findHost, gapsHeader } from '../hosts/find-host.ts';
import type { ReadHandler } from '../read-operation.ts';

/** GET /hosts/{id}/exposures */
export const listHostExposures: ReadHandler<'listHostExposures'> = async (request, { stores }) => {
  const { params, query, caller } = request;
  const overview = await findHost(stores.hosts, caller.scope, params.id);
  const page = askedPage(request, `/api/v1/hosts/${params.id}/exposures`, placeSchema);
  const { after } = page;
  const { exposures: all, historyFrom } = await stores.exposures.ofHost(params.id, exposureFilter(query));
  const rest = after === null ? all : all.filter((one) => isBehind(placeOf(one), after));
  const { rows, headers } = page.of(rest, all.length, placeOf);
  const body = rows.map(exposureAnswer);
  return {
    kind: 'json',
    status: 200,
    headers: { ...gapsHeader(overview), ...historyHeader(historyFrom), ...headers },
    body,
  };
};

/** The filter in a query. Throws `validation_failed` if the period ends before it begins. */
export function exposureFilter(query: ExposureQuery): ExposureFilter {
  const { from = null, to = null, severity = null, open = null } = query;
  if (from !== null && to !== null && from > to) {
    throw validationFailed([{ pointer: '/from', detail: 'must not be later than "to"' }]);
  }
  return { from, to, severity, open };
}

/** The header with the start of the history; none if nothing was deleted. */
export function historyHeader(historyFrom: Date | null): Readonly<Record<string, string>> {
  return historyFrom === null ? {} : { 'Plimsoll-History-From': historyFrom.toISOString() };
}

/** The start in milliseconds, and the text that orders exposures that began together. */
const placeSchema = z.tuple([z.number(), z.string()]);
type Place = z.output<typeof placeSchema>;

function placeOf(exposure: HostExposure): Place {
  return [exposure.from.getTime(), exposure.place];
}

function isBehind([from, place]: Place, [otherFrom, other]: Place): boolean {
  return from === otherFrom ? place > other : from < otherFrom;
}

/** An exposure as answered. */
export function exposureAnswer(exposure: HostExposure): ExposureAnswer {
  const time = (at: Date | null) => at?.toISOString() ?? null;
  return {
    host_id: exposure.hostId,
    package: exposure.packageName,
    advisory_id: exposure.advisoryId,
    cves: [...exposure.cves],
    severity: exposure.severity,
    from: exposure.from.toISOString(),
    from_cause: exposure.fromCause,
    until: time(exposure.until),
    until_cause: exposure.untilCause,
    published_at: time(exposure.publishedAt),
    known_at: exposure.knownAt.toISOString(),
    offered_at: time(exposure.offeredAt),
    installed_at: time(exposure.installedAt),
    running_at: time(exposure.runningAt),
  };
}
