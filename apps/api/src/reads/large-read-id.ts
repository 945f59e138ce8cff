import type { OperationId, Operations } from '@plimsoll/contract';

/** The ids of the operations that the table calls `heavy`. */
export type LargeReadId = {
  [Id in OperationId]: Operations[Id]['heavy'] extends true ? Id : never;
}[OperationId];
