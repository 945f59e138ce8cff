import { type DescMessage, fromBinary, type MessageShape } from '@bufbuild/protobuf';
import type { InstalledPackage, OsFamily, Upgrade } from '@plimsoll/model';
import { InstalledPackageSchema, UpgradablePackageSchema } from '@plimsoll/proto';
import { LRUCache } from 'lru-cache';

/** Kept entries of one list: two fleets of 85,000 hosts had 13,000 distinct package versions each. */
const maxEntries = 40_000;
/** Longer entries are not kept; those of real hosts have about 80 bytes. */
const maxEntryBytes = 512;
/**
 * Bytes of all kept entries of one list. A decoded entry takes several times its bytes, and hosts can send
 * long ones.
 */
const maxTotalBytes = 8 * 1024 * 1024;

/** Decoded entries of one list by their bytes, and what was read from them. */
export class KnownEntries<Schema extends DescMessage, Value> {
  private readonly schema: Schema;
  private readonly isKept: (entry: MessageShape<Schema>) => boolean;
  private readonly entries = new LRUCache<string, MessageShape<Schema>>({
    max: maxEntries,
    maxSize: maxTotalBytes,
    // A size must be positive, and an entry can be empty.
    sizeCalculation: (_entry, key) => key.length + 1,
  });
  private readonly values = new WeakMap<object, Value>();

  /** @param isKept whether other hosts can have the same entry. */
  constructor(schema: Schema, isKept: (entry: MessageShape<Schema>) => boolean) {
    this.schema = schema;
    this.isKept = isKept;
  }

  /** Decodes the bytes of an entry. Throws as the library's decoder does. */
  entryOf(bytes: Uint8Array): MessageShape<Schema> {
    if (bytes.length > maxEntryBytes) return decodeEntry(this.schema, bytes);
    const key = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length).toString('latin1');
    const known = this.entries.get(key);
    if (known !== undefined) return known;
    const entry = decodeEntry(this.schema, bytes);
    if (this.isKept(entry)) this.entries.set(key, entry);
    return entry;
  }

  /** What `remember` stored for an entry. */
  valueOf(entry: object): Value | undefined {
    return this.values.get(entry);
  }

  /** Stores what was read from an entry without a fault or correction. */
  remember(entry: object, value: Value): void {
    this.values.set(entry, value);
  }
}

/** Decodes the bytes of an entry. Throws as the library's decoder does. */
export function decodeEntry<Schema extends DescMessage>(
  schema: Schema,
  bytes: Uint8Array,
): MessageShape<Schema> {
  return fromBinary(schema, bytes, { readUnknownFields: false });
}

/**
 * The entries of the long lists, so that a package or an update that many hosts have is decoded and checked once. Keeps
 * no package with an installation time, because these differ from host to host. Use one per process or thread.
 */
export class KnownPackages {
  readonly packages = new KnownEntries<
    typeof InstalledPackageSchema,
    { readonly family: OsFamily; readonly installed: InstalledPackage }
  >(InstalledPackageSchema, ({ installedAt }) => installedAt === undefined);
  readonly upgrades = new KnownEntries<typeof UpgradablePackageSchema, Upgrade>(
    UpgradablePackageSchema,
    () => true,
  );
}
