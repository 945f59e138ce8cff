import type { WaiverEndCause, WaiverKind } from '@plimsoll/model';
import type { ScopedWaiver } from '../counting/host-terms.ts';
import type { WaiverMatches } from './waiver-matches.ts';

/** A stored waiver. */
export interface Waiver extends ScopedWaiver {
  readonly reason: string;
  readonly ticketUrl: string | null;
  /** The document that it was imported from; null: none. */
  readonly origin: string | null;
  readonly createdAt: Date;
  /** Its end; also of one whose time is over although the end is not noted yet. Null: it applies. */
  readonly endedAt: Date | null;
  readonly endCause: WaiverEndCause | null;
  readonly endedBy: string | null;
}

/** A waiver to be created. */
export type NewWaiver = Pick<
  Waiver,
  | 'kind'
  | 'advisories'
  | 'packages'
  | 'purls'
  | 'hostIds'
  | 'tags'
  | 'allHosts'
  | 'reason'
  | 'ticketUrl'
  | 'expiresAt'
  | 'origin'
>;

/** The fields of a waiver that can be changed. */
export type WaiverUpdate = Partial<Pick<Waiver, 'reason' | 'ticketUrl' | 'expiresAt'>>;

/** The state of waivers to list. */
export type WaiverState = 'active' | 'expiring' | 'ended';

/** How a waiver names its hosts. */
export type WaiverScope = 'hosts' | 'tags' | 'all_hosts';

/** Which waivers to list; all that are given must match. */
export interface WaiverFilter {
  readonly state?: WaiverState;
  readonly kind?: WaiverKind;
  readonly scope?: WaiverScope;
  /** Those that apply to this host. */
  readonly host?: string;
  /** Those that name exactly this advisory, CVE or package. */
  readonly names?: string;
  /** A part of what it covers, its reason, ticket or author; ignoring case. */
  readonly q?: string;
}

/** What a new waiver would concern. */
export interface WaiverPreview extends WaiverMatches {
  /** Approved hosts in its scope without counted findings. */
  readonly uncountedHosts: number;
  /** Approved hosts in its scope with counted findings, of which not all are known. */
  readonly partlyKnownHosts: number;
}
