import type { OperationId, Operations } from '@plimsoll/contract';

/** The ids of operations marked `heavy` in the contract. */
export type LargeReadId = {
  [Id in OperationId]: Operations[Id]['heavy'] extends true ? Id : never;
}[OperationId];
