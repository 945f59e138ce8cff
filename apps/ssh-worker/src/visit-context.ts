import type { CollectorStore } from '@plimsoll/db';
import type { HostKey, PullErrorCode } from '@plimsoll/model';
import type { AddressPolicy } from '@plimsoll/outbound';
import type { IntakeServices } from '@plimsoll/pipeline/intake';
import type { KeyRing } from '@plimsoll/secrets';
import type { CollectLimits, CollectResult, Places, Startups } from '@plimsoll/ssh';

/** The dependencies of a visit. */
export interface VisitContext {
  readonly collectors: CollectorStore;
  readonly intake: IntakeServices;
  readonly addresses: AddressPolicy;
  readonly ring: KeyRing;
  readonly largeOutputs: Places;
  readonly startups: Startups;
  readonly limits: CollectLimits;
}

/** The result of a visit, including every failure. */
export type VisitResult =
  | Extract<CollectResult, { kind: 'collected' }>
  | {
      readonly kind: 'failed';
      readonly code: PullErrorCode;
      /** One sentence that says what the operator must do. */
      readonly message: string;
      /** Whether a retry soon makes sense. */
      readonly mayHeal: boolean;
      /** The host key, if the visit got far enough to see it. */
      readonly hostKey: HostKey | null;
    };

/** A visit that failed before the host was reached, or for a local reason. */
export function failed(
  code: PullErrorCode,
  message: string,
  { mayHeal = false, hostKey = null }: { readonly mayHeal?: boolean; readonly hostKey?: HostKey | null } = {},
): Extract<VisitResult, { kind: 'failed' }> {
  return { kind: 'failed', code, message, mayHeal, hostKey };
}
