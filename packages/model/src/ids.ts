declare const brand: unique symbol;

type Branded<T, Name extends string> = T & { readonly [brand]: Name };

/** A host's id: UUIDv7 text. */
export type HostId = Branded<string, 'HostId'>;

/** An upload's id, which becomes its snapshot's id: UUIDv7 text. */
export type UploadId = Branded<string, 'UploadId'>;

/** A user's id: UUIDv7 text. */
export type UserId = Branded<string, 'UserId'>;

/** A feed import's id: UUIDv7 text. */
export type ImportId = Branded<string, 'ImportId'>;

/** A registration token's id: UUIDv7 text. Not the secret. */
export type RegistrationTokenId = Branded<string, 'RegistrationTokenId'>;

/** An API key's id: UUIDv7 text. Not the secret. */
export type ApiKeyId = Branded<string, 'ApiKeyId'>;

/** A group's id: UUIDv7 text. */
export type HostGroupId = Branded<string, 'HostGroupId'>;

/** A notification channel's id: UUIDv7 text. */
export type ChannelId = Branded<string, 'ChannelId'>;

/** A notification route's id: UUIDv7 text. */
export type RouteId = Branded<string, 'RouteId'>;
/** A report by mail. */
export type BulletinId = Branded<string, 'BulletinId'>;

/** A notification's delivery: UUIDv7 text. Receivers get it as the delivery id or in the Message-ID. */
export type DeliveryId = Branded<string, 'DeliveryId'>;

/** A pull job's id: UUIDv7 text. */
export type PullJobId = Branded<string, 'PullJobId'>;

/** An SSH key pair's id: UUIDv7 text. */
export type SshKeyPairId = Branded<string, 'SshKeyPairId'>;

/** A distribution's version as feeds and hosts name it: `debian:12`. */
export type Release = Branded<string, 'Release'>;

/** The interned id of a distinct package version. Positive, below 2^31. */
export type PackageVersionId = Branded<number, 'PackageVersionId'>;

/** The stored id of an advisory. Positive, below 2^31. */
export type AdvisoryKey = Branded<number, 'AdvisoryKey'>;

/** A waiver's id: UUIDv7 text. */
export type WaiverId = Branded<string, 'WaiverId'>;
