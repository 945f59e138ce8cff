import type { ApprovalStatus, HostId, OsFamily } from '@plimsoll/model';

/** What an agent reports about its host when it enrols, with the new ids and hashes. */
export interface EnrolmentRequest {
  /** SHA-256 of the registration token. */
  readonly tokenHash: Uint8Array;
  /** SHA-256 of the Idempotency-Key, if one was sent. */
  readonly idempotencyKeyHash: Uint8Array | null;
  /** The id for a new host. */
  readonly hostId: HostId;
  readonly accessTokenId: string;
  /** SHA-256 of the new host access token. */
  readonly accessTokenHash: Uint8Array;
  readonly hostname: string;
  readonly machineId: string;
  readonly ipAddress: string | null;
  readonly osFamily: OsFamily;
  readonly osName: string;
  readonly osMajor: number;
  readonly osVersion: string;
  readonly architecture: string;
  readonly staleAfterSeconds: number;
  /** The address and id of the request. */
  readonly origin: { readonly ipAddress: string | null; readonly requestId: string | null };
}

/** Limits on the number of hosts that enrol with one registration token. */
export interface EnrolmentLimits {
  /** Hosts at once. */
  readonly burst: number;
  /** Hosts per minute after the burst. */
  readonly perMinute: number;
}

/** The default limits, listed in plimsoll.example.yaml. */
export const defaultEnrolmentLimits: EnrolmentLimits = { burst: 100, perMinute: 300 };

/** The result of an enrolment. A client without a valid token does not learn why it was refused. */
export type EnrolmentResult =
  | { readonly kind: 'enrolled'; readonly hostId: HostId; readonly approvalStatus: ApprovalStatus }
  | { readonly kind: 'refused' }
  /**
   * The token is valid, but too many hosts enrol with it. `isFirst`: an audit event was written now, at most one per
   * hour.
   */
  | {
      readonly kind: 'too_many';
      readonly tokenId: string;
      readonly tokenName: string;
      readonly isFirst: boolean;
    };
