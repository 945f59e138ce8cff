import { accountDeeds } from './account-deeds.ts';
import type { ApiUnderTest } from './api-under-test.ts';
import { decisionDeeds } from './decision-deeds.ts';
import type { Deeds } from './deeds.ts';
import { hostDeeds } from './host-deeds.ts';
import { notificationDeeds } from './notification-deeds.ts';

/** A call of each operation that is in the audit log. */
export function auditedDeeds(api: ApiUnderTest): Deeds {
  return {
    ...accountDeeds(api),
    ...hostDeeds(api),
    ...notificationDeeds(api),
    ...decisionDeeds(api),
  };
}
