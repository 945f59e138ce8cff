import type {
  CopyReason,
  HostId,
  Platform,
  RepositoriesState,
  Repository,
  RepositoryRefresh,
} from '@plimsoll/model';

/** What a host's copies of its repositories are judged from. */
export interface HostToJudge {
  readonly hostId: HostId;
  readonly tags: readonly string[];
  readonly platform: Platform;
  readonly repositories: readonly Repository[];
  /** Null where an older version did not keep them. */
  readonly vendors: readonly string[] | null;
  readonly refreshed: readonly RepositoryRefresh[];
}

/** What copies of the same repository have in common. */
export interface StoredIdentity {
  readonly key: string;
  readonly name: string;
  readonly origin: string;
  readonly suite: string;
  readonly component: string;
  readonly architecture: string;
  readonly base: string;
}

/** A judged copy as it is stored. */
export interface JudgedCopyRow {
  readonly source: string;
  readonly url: string;
  readonly origin: string;
  readonly suite: string;
  readonly component: string;
  readonly enabled: boolean;
  readonly used: boolean;
  readonly publishedAt: Date | null;
  readonly validUntil: Date | null;
  readonly error: string;
  readonly maxLagDays: number;
  readonly state: RepositoriesState;
  readonly reason: CopyReason;
  /** Null where no other host can have the same. */
  readonly identityKey: string | null;
}

/** A host's copies before they are judged. */
export interface CopiesToJudge {
  readonly identities: readonly StoredIdentity[];
  judge(by: { newestOf(key: string): Date | null; readonly now: Date }): {
    readonly rows: readonly JudgedCopyRow[];
    readonly state: RepositoriesState;
    readonly validUntil: Date | null;
  };
}

/** The rules of judging repositories. Pure; see @plimsoll/advisories. */
export interface RepositoryRule {
  /** Differs where the settings behind the rule differ. */
  readonly fingerprint: string;
  /** The least number of days that any copy may be behind. */
  readonly minLagDays: number;
  copies(host: HostToJudge): CopiesToJudge;
}
