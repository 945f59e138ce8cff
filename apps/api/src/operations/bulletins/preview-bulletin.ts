import type { BulletinContents } from '@plimsoll/contract';
import { AppError } from '@plimsoll/model';
import type { ReadHandler } from '../read-operation.ts';
import { noBulletin } from './bulletins.ts';

/** GET /bulletins/{id}/preview */
export const previewBulletin: ReadHandler<'previewBulletin'> = async ({ params, caller }, { stores }) => {
  if ((await stores.bulletins.find(params.id, caller.scope)) === null) throw noBulletin();
  const made = await stores.bulletinMaker.make(params.id, caller.scope);
  if (made === null) throw noBulletin();
  if (made.kind === 'refused') throw new AppError('conflict', made.reason);
  // The same fields, as values that the answer may own.
  return { kind: 'json', status: 200, body: structuredClone(made.contents) as BulletinContents };
};
