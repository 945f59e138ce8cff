import type { SequencePage } from '@plimsoll/db';
import type { HostScope } from '@plimsoll/model';
import { sequencePlace } from '../../http/cursor.ts';
import { askedPage } from '../../http/page.ts';
import type { ApiStores } from '../../stores.ts';
import { hostNotFound } from './find-host.ts';

/** Rows of hosts in the order of their sequence numbers, newest first. */
export interface RowsOfHosts<Row> {
  listOfHost(hostId: string, page: SequencePage): Promise<readonly Row[]>;
  countOfHost(hostId: string): Promise<number>;
}

/** A request for a page of one host's rows. */
export interface PageRequest {
  readonly params: { readonly id: string };
  readonly query: { readonly limit?: number | undefined; readonly cursor?: string | undefined };
  readonly origin: string;
  readonly caller: { readonly scope: HostScope };
}

/**
 * A page of a host's rows with its headers. `name` is the last part of the list's path. Throws `not_found` for an
 * unknown host.
 */
export async function pageOfHost<Row extends { readonly sequence: bigint }>(
  request: PageRequest,
  { hosts }: Pick<ApiStores, 'hosts'>,
  { rows, name }: { readonly rows: RowsOfHosts<Row>; readonly name: string },
) {
  const { params, caller } = request;
  if (!(await hosts.has(caller.scope, params.id))) throw hostNotFound();
  const page = askedPage(request, `/api/v1/hosts/${params.id}/${name}`, sequencePlace);
  const [found, total] = await Promise.all([
    rows.listOfHost(params.id, { limit: page.limit + 1, before: page.after }),
    rows.countOfHost(params.id),
  ]);
  return page.of(found, total, ({ sequence }) => sequence.toString());
}
