import type { Operations } from '@plimsoll/contract';
import type { Handler } from '../http/operation-request.ts';
import { findHost, hostNotFound } from './find-host.ts';
import { hostAnswer, hostDetailAnswer } from './host-answer.ts';

/** GET /hosts/{id} */
export const getHost: Handler<Operations['getHost']> = async ({ params }, { stores }) => ({
  kind: 'json',
  status: 200,
  body: hostDetailAnswer(await findHost(stores.hosts, params.id)),
});

/** PATCH /hosts/{id} */
export const updateHost: Handler<Operations['updateHost']> = async ({ params, body }, { stores }) => {
  const { display_name, tags } = body;
  await stores.hosts.update(params.id, {
    ...(display_name === undefined ? {} : { displayName: display_name }),
    ...(tags === undefined ? {} : { tags }),
  });
  return { kind: 'json', status: 200, body: hostAnswer(await findHost(stores.hosts, params.id)) };
};

/** POST /hosts/{id}/approve */
export const approveHost: Handler<Operations['approveHost']> = async ({ params }, { stores }) => {
  await stores.hosts.approve(params.id);
  return { kind: 'json', status: 200, body: hostAnswer(await findHost(stores.hosts, params.id)) };
};

/** DELETE /hosts/{id} */
export const deleteHost: Handler<Operations['deleteHost']> = async ({ params }, { stores }) => {
  if (!(await stores.hosts.delete(params.id))) throw hostNotFound();
  return { kind: 'empty', status: 204 };
};
