import type { OperationId } from '@plimsoll/contract';
import { accountDeeds } from './account-deeds.ts';
import type { ApiUnderTest } from './api-under-test.ts';
import { decisionDeeds } from './decision-deeds.ts';
import { hostDeeds } from './host-deeds.ts';
import { notificationDeeds } from './notification-deeds.ts';

/** An API under test and a token of its admin. */
export interface Admin {
  readonly api: ApiUnderTest;
  readonly token: string;
}

/** A successful call by operation; each call makes what it needs. */
export type Deeds = Partial<
  Record<OperationId, () => PromiseLike<{ status: number; headers: Record<string, string> }>>
>;

/** A call of each operation that is in the audit log. */
export function auditedDeeds(admin: Admin): Deeds {
  return {
    ...accountDeeds(admin),
    ...hostDeeds(admin),
    ...notificationDeeds(admin),
    ...decisionDeeds(admin),
  };
}
