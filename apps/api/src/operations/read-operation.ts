import type { Operations } from '@plimsoll/contract';
import type { AnswerTo } from '../http/answer.ts';
import type { LargeReadId } from '../reads/large-read-id.ts';
import type { ApiStores } from '../stores.ts';
import type { OperationRequest } from './operation-request.ts';

/** What large reads work with: all that there is in the thread that carries them out. */
export interface ReadServices {
  readonly stores: ApiStores;
  clock(): Date;
}

/** What carries out a large read: an operation that the table calls `heavy`. */
export type ReadHandler<Op extends Operations[LargeReadId]> = (
  request: OperationRequest<Op>,
  services: ReadServices,
) => Promise<AnswerTo<Op>>;
