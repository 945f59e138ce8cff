import type { NotificationEvent, Severity } from '@plimsoll/model';

/** A row of the outbox that no delivery was written for yet. */
export interface OutboxRow {
  readonly id: string;
  readonly event: string;
  readonly subject: string;
  readonly hostIds: readonly string[];
  readonly data: Readonly<Record<string, unknown>>;
  readonly at: Date;
}

/** An approved or pending host that an event is about. */
export interface NoticeHost {
  readonly id: string;
  readonly name: string;
  readonly tags: readonly string[];
}

/** Something to tell, before it is known to whom. */
export interface Notice {
  /** The id of the row of the outbox. */
  readonly id: string;
  /** What it counts as: a route gets the first of these that it wants. */
  readonly events: readonly NotificationEvent[];
  readonly subject: string;
  readonly at: Date;
  /** Null: it has none, and no route excludes it for that. */
  readonly severity: Severity | null;
  /** Null: it is not about hosts. */
  readonly hosts: readonly NoticeHost[] | null;
  /** Whether changes on hosts caused it: an advisory that was told lately is then no news. */
  readonly isFromHosts: boolean;
  readonly data: Readonly<Record<string, unknown>>;
}
