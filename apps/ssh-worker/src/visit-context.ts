import type { CollectorStore } from '@plimsoll/db';
import type { HostKey, PullErrorCode } from '@plimsoll/model';
import type { AddressPolicy } from '@plimsoll/outbound';
import type { IntakeServices } from '@plimsoll/pipeline/intake';
import type { KeyRing } from '@plimsoll/secrets';
import type { CollectLimits, CollectResult, Places, Startups } from '@plimsoll/ssh';

/** What a visit to a host works with. */
export interface VisitContext {
  readonly collectors: CollectorStore;
  readonly intake: IntakeServices;
  readonly addresses: AddressPolicy;
  readonly ring: KeyRing;
  readonly largeOutputs: Places;
  readonly startups: Startups;
  readonly limits: CollectLimits;
}

/** How a visit came out, whatever it was that went wrong. */
export type VisitResult =
  | Extract<CollectResult, { kind: 'collected' }>
  | {
      readonly kind: 'failed';
      readonly code: PullErrorCode;
      /** One sentence that tells an operator what to do. */
      readonly message: string;
      /** Whether trying again soon makes sense. */
      readonly mayHeal: boolean;
      /** The key that the host showed, as far as it came to that. */
      readonly hostKey: HostKey | null;
    };

/** A visit that failed before the host was reached, or by what only this side knows. */
export function failed(
  code: PullErrorCode,
  message: string,
  { mayHeal = false, hostKey = null }: { readonly mayHeal?: boolean; readonly hostKey?: HostKey | null } = {},
): Extract<VisitResult, { kind: 'failed' }> {
  return { kind: 'failed', code, message, mayHeal, hostKey };
}
