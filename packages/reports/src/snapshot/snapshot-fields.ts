import type { Message } from '@bufbuild/protobuf';
import type { Snapshot as WireSnapshot } from '@plimsoll/proto';

/** A message without the library's own marks. */
type Fields<T> = T extends Message
  ? { readonly [Key in keyof T as Key extends '$typeName' | '$unknown' ? never : Key]: Fields<T[Key]> }
  : T extends readonly (infer Item)[]
    ? readonly Fields<Item>[]
    : T;

/**
 * What a host says, field by field as snapshot.proto names it, before any of it is judged. A structured upload is
 * decoded to this, a text report is read into it, and the same readers make the snapshot of both.
 */
export type SnapshotFields = Fields<WireSnapshot>;
