import { accountDeeds } from './account-deeds.ts';
import { decisionDeeds } from './decision-deeds.ts';
import type { Admin, Deeds } from './deeds.ts';
import { hostDeeds } from './host-deeds.ts';
import { notificationDeeds } from './notification-deeds.ts';

/** A call of each operation that is in the audit log. */
export function auditedDeeds(admin: Admin): Deeds {
  return {
    ...accountDeeds(admin),
    ...hostDeeds(admin),
    ...notificationDeeds(admin),
    ...decisionDeeds(admin),
  };
}
