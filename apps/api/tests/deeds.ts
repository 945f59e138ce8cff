import type { OperationId } from '@plimsoll/contract';

/** A successful call by operation; each call makes what it needs. */
export type Deeds = Partial<
  Record<OperationId, () => PromiseLike<{ status: number; headers: Record<string, string> }>>
>;
