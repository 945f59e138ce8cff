import type { Gap, OverallAction, Snapshot } from '@plimsoll/model';

/** How the host of a story is added to the service. */
export type StoryDoor =
  /** An approved agent. */
  | { readonly kind: 'agent'; snapshot(now: Date): Snapshot }
  /** An agent that waits for approval; null: it has not reported yet. */
  | { readonly kind: 'pending'; readonly snapshot: ((now: Date) => Snapshot) | null }
  /** Pulled over SSH from a nonexistent name. */
  | { readonly kind: 'ssh' }
  /** A manual host; null: without a report. */
  | { readonly kind: 'manual'; readonly report: Uint8Array | null };

/** One fictitious host, and the service's expected result for it. */
export interface Story {
  /** What is special about the host, in a few words: its display name. */
  readonly title: string;
  readonly door: StoryDoor;
  /** The age of its newest contact, in days; absent: now. */
  readonly silentForDays?: number;
  /** Whether most hosts of a large fleet are like it. */
  readonly isUsual?: boolean;
  /** Whether it has the same machine id as the first host. */
  readonly isClone?: boolean;
  /** In a fleet with every story once. */
  readonly action: OverallAction;
  /** All gaps of the host, in a fleet with every story once. */
  readonly gaps: readonly Gap[];
}
