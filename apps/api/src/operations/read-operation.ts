import type { Operations } from '@plimsoll/contract';
import type { EvidenceSecrets } from '../evidence/evidence-secrets.ts';
import type { AnswerTo } from '../http/answer.ts';
import type { LargeReadId } from '../reads/read-messages.ts';
import type { ApiStores } from '../stores.ts';
import type { OperationRequest } from './operation-request.ts';

/** What large reads use: everything available in the thread that runs them. */
export interface ReadServices {
  readonly stores: ApiStores;
  readonly evidenceSecrets: EvidenceSecrets;
  clock(): Date;
}

/** The handler of a large read: an operation marked `heavy` in the contract. */
export type ReadHandler<Id extends LargeReadId> = (
  request: OperationRequest<Operations[Id]>,
  services: ReadServices,
) => Promise<AnswerTo<Operations[Id]>>;
