import { type DescMessage, fromBinary, type MessageShape } from '@bufbuild/protobuf';
import type { InstalledPackage, OsFamily, Upgrade } from '@plimsoll/model';
import { InstalledPackageSchema, UpgradablePackageSchema } from '@plimsoll/proto';

/** Kept entries of one list: two fleets of 85,000 hosts had 13,000 distinct package versions each. */
const maxEntries = 40_000;
/** Longer entries are not kept; those of real hosts have about 80 bytes. */
const maxEntryBytes = 512;
/**
 * Bytes of all kept entries of one list. A decoded entry takes several times its bytes, and hosts can send
 * long ones.
 */
const maxTotalBytes = 8 * 1024 * 1024;

/** An entry and what was read from it. */
interface KnownEntry<Entry, Value> {
  readonly entry: Entry;
  value: Value | undefined;
}

/**
 * Decoded entries of one list by their bytes, and what was read from them. Entries that were not used for a while are
 * dropped: half of the bounds is for entries that were used since the other half was full.
 */
export class KnownEntries<Schema extends DescMessage, Value> {
  private readonly schema: Schema;
  private readonly isKept: (entry: MessageShape<Schema>) => boolean;
  private recent = new Map<string, KnownEntry<MessageShape<Schema>, Value>>();
  private earlier = new Map<string, KnownEntry<MessageShape<Schema>, Value>>();
  private recentBytes = 0;
  private readonly byEntry = new WeakMap<object, KnownEntry<MessageShape<Schema>, Value>>();

  /** @param isKept whether other hosts can have the same entry. */
  constructor(schema: Schema, isKept: (entry: MessageShape<Schema>) => boolean) {
    this.schema = schema;
    this.isKept = isKept;
  }

  /** The entry with the bytes from `start` to before `end`, which were decoded before; undefined if it is not kept. */
  find(bytes: Buffer, start: number, end: number): MessageShape<Schema> | undefined {
    return end - start > maxEntryBytes ? undefined : this.use(bytes.toString('latin1', start, end))?.entry;
  }

  /** Decodes the bytes of an entry. Throws as the library's decoder does. */
  entryOf(bytes: Uint8Array): MessageShape<Schema> {
    if (bytes.length > maxEntryBytes) return decodeEntry(this.schema, bytes);
    const key = keyOf(bytes);
    const known = this.use(key);
    if (known !== undefined) return known.entry;
    const entry = decodeEntry(this.schema, bytes);
    if (this.isKept(entry)) {
      const kept = { entry, value: undefined };
      this.byEntry.set(entry, kept);
      this.keep(key, kept);
    }
    return entry;
  }

  /** What `remember` stored for an entry. */
  valueOf(entry: object): Value | undefined {
    return this.byEntry.get(entry)?.value;
  }

  /** Stores what was read from an entry without a fault or correction, if the entry is kept. */
  remember(entry: object, value: Value): void {
    const known = this.byEntry.get(entry);
    if (known !== undefined) known.value = value;
  }

  private use(key: string): KnownEntry<MessageShape<Schema>, Value> | undefined {
    const recent = this.recent.get(key);
    if (recent !== undefined) return recent;
    const earlier = this.earlier.get(key);
    if (earlier !== undefined) this.keep(key, earlier);
    return earlier;
  }

  private keep(key: string, known: KnownEntry<MessageShape<Schema>, Value>): void {
    if (this.recent.size >= maxEntries / 2 || this.recentBytes + key.length > maxTotalBytes / 2) {
      this.earlier = this.recent;
      this.recent = new Map();
      this.recentBytes = 0;
    }
    this.recent.set(key, known);
    this.recentBytes += key.length;
  }
}

/** The bytes of an entry as a text. */
function keyOf(bytes: Uint8Array): string {
  return Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length).toString('latin1');
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
