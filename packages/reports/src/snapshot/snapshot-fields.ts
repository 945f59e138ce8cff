import type { Message } from '@bufbuild/protobuf';
import type { Snapshot as WireSnapshot } from '@plimsoll/proto';

/** A message without the library's markers. */
type Fields<T> = T extends Message
  ? { readonly [Key in keyof T as Key extends '$typeName' | '$unknown' ? never : Key]: Fields<T[Key]> }
  : T extends readonly (infer Item)[]
    ? readonly Fields<Item>[]
    : T;

/**
 * A host's fields as named in snapshot.proto, before validation. A structured upload is decoded to this, a text report
 * is parsed to it, and the same readers build the snapshot from both.
 */
export type SnapshotFields = Fields<WireSnapshot>;
