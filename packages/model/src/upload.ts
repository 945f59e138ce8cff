/** How an upload was received. */
export const uploadDoors = ['agent', 'ssh', 'manual'] as const;
export type UploadDoor = (typeof uploadDoors)[number];

/** Progress of an upload; `matched`, `rejected` and `superseded` are final. */
export const uploadStates = ['received', 'parsed', 'matched', 'rejected', 'superseded'] as const;
export type UploadState = (typeof uploadStates)[number];

/** Format of an upload: an encoded Snapshot, or a collector's text report. */
export const payloadKinds = ['protobuf', 'report'] as const;
export type PayloadKind = (typeof payloadKinds)[number];

/** Progress of a feed import; `done` and `failed` are final. */
export const importStates = ['queued', 'running', 'done', 'failed'] as const;
export type ImportState = (typeof importStates)[number];

/** Roles of users; see the HTTP contract for their permissions. */
export const userRoles = ['admin', 'operator', 'viewer'] as const;
export type UserRole = (typeof userRoles)[number];

/** The largest size of an upload, decompressed, in bytes; the same through every door. */
export const maxUploadBytes = 32 * 1024 * 1024;

/** The gzip level of stored uploads: low, because the CPU time of every upload costs more than the storage. */
export const uploadCompressionLevel = 2;
