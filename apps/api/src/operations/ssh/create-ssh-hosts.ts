import type { Operations } from '@plimsoll/contract';
import { type KnownLogin, tagsInScope } from '@plimsoll/db';
import { AppError, type FieldError, type HostScope } from '@plimsoll/model';
import { auditActorOf } from '../../auth/signed-in-user.ts';
import type { ApiServices } from '../../context.ts';
import { validationFailed } from '../../http/request-fields.ts';
import { keyLinesOf } from '../hosts/key-lines.ts';
import type { Handler, OperationRequest } from '../operation-request.ts';
import { type MadeSshHost, newSshHost } from './new-ssh-host.ts';

type Request = OperationRequest<Operations['createSshHosts']>;
type Rows = Request['body']['hosts'];

/** POST /hosts/ssh/batch */
export const createSshHosts: Handler<'createSshHosts'> = async (request, services) => {
  const { body, caller } = request;
  const rows = withTags(body.hosts, caller.scope);
  const logins = rows.map(({ hostname, port, ssh_user: user }) => ({ hostname, port, user }));
  const known = await services.stores.sshHosts.findLogins(caller.scope, logins);
  refuse([...repeatedIn(rows), ...(body.existing === 'refuse' ? errorsOfKnown(known) : [])]);
  const skipped = [...known]
    .sort(([a], [b]) => a - b)
    .map(([index, { hostId, displayName }]) => ({ index, host_id: hostId, display_name: displayName }));
  if (body.check_only)
    return { kind: 'json', status: 200, body: { hosts: [], skipped, shared_authorized_keys_line: null } };
  const wanted = rows.map((row, index) => ({ row, index })).filter(({ index }) => !known.has(index));
  return { kind: 'json', status: 201, body: { ...(await add(wanted, request, services)), skipped } };
};

async function add(
  wanted: readonly { readonly row: Rows[number]; readonly index: number }[],
  request: Request,
  services: ApiServices,
) {
  const by = auditActorOf(request);
  const { scope } = request.caller;
  const { sha256 } = await services.collectorKeeper.kept();
  const made: (MadeSshHost & { readonly index: number })[] = [];
  for (const { row, index } of wanted)
    made.push({ index, ...(await newSshHost(row, { tags: row.tags, scope, by }, services)) });
  await services.stores.sshHosts.createAll(
    made.map(({ newHost }) => newHost),
    by,
  );
  const lineOf = ({ newHost, publicKey, isUnique }: (typeof made)[number]) =>
    keyLinesOf(newHost, { publicKey, uniqueKeyPair: isUnique }, sha256).authorized_keys_line;
  const sharing = made.find(({ isUnique }) => !isUnique);
  return {
    hosts: made.map((one) => ({
      index: one.index,
      id: one.newHost.id,
      display_name: one.newHost.displayName,
      hostname: one.newHost.hostname,
      authorized_keys_line: lineOf(one),
    })),
    shared_authorized_keys_line: sharing === undefined ? null : lineOf(sharing),
  };
}

/** The rows with the tags that the caller's scope adds. Throws `validation_failed` with an error for each row it refuses. */
function withTags(rows: Rows, scope: HostScope): Rows {
  const errors: FieldError[] = [];
  const completed = rows.map((row, index) => {
    try {
      return { ...row, tags: tagsInScope(scope, row.tags) };
    } catch (error) {
      if (!(error instanceof AppError)) throw error;
      errors.push(...error.errors.map((each) => ({ ...each, pointer: `/hosts/${index}${each.pointer}` })));
      return row;
    }
  });
  refuse(errors);
  return completed;
}

/** An error for each row with the login of an earlier row. */
function repeatedIn(rows: Rows): readonly FieldError[] {
  const first = new Map<string, number>();
  return rows.flatMap(({ hostname, port, ssh_user }, index) => {
    const login = JSON.stringify([hostname.toLowerCase(), port, ssh_user]);
    const earlier = first.get(login);
    if (earlier === undefined) {
      first.set(login, index);
      return [];
    }
    const detail = `has the address, port and user of host ${earlier + 1} of this list`;
    return [{ pointer: `/hosts/${index}/hostname`, detail }];
  });
}

function errorsOfKnown(known: ReadonlyMap<number, KnownLogin>): readonly FieldError[] {
  return [...known].map(([index, { displayName }]) => ({
    pointer: `/hosts/${index}/hostname`,
    detail: `is pulled already, with this port and user, as "${displayName}"`,
  }));
}

function refuse(errors: readonly FieldError[]): void {
  if (errors.length > 0) throw validationFailed(errors);
}
