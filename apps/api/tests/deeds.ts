import type { OperationId } from '@plimsoll/contract';
import type { ApiUnderTest } from './api-under-test.ts';

/** An API under test and a token of its admin. */
export interface Admin {
  readonly api: ApiUnderTest;
  readonly token: string;
}

/** A successful call by operation; each call makes what it needs. */
export type Deeds = Partial<
  Record<OperationId, () => PromiseLike<{ status: number; headers: Record<string, string> }>>
>;
