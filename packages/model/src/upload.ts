/** The door an upload came through. */
export const uploadDoors = ['agent', 'ssh', 'manual'] as const;
export type UploadDoor = (typeof uploadDoors)[number];

/** How far an upload got; `matched`, `rejected` and `superseded` are ends. */
export const uploadStates = ['received', 'parsed', 'matched', 'rejected', 'superseded'] as const;
export type UploadState = (typeof uploadStates)[number];

/** What an upload's bytes are: an encoded Snapshot, or a collector's text report. */
export const payloadKinds = ['protobuf', 'report'] as const;
export type PayloadKind = (typeof payloadKinds)[number];

/** How far a feed import got; `done` and `failed` are ends. */
export const importStates = ['queued', 'running', 'done', 'failed'] as const;
export type ImportState = (typeof importStates)[number];

/** Who may do what; see the HTTP contract. */
export const userRoles = ['admin', 'operator', 'viewer'] as const;
export type UserRole = (typeof userRoles)[number];

/** Bytes that one upload may hold at most, decompressed; the same through every door. */
export const maxUploadBytes = 32 * 1024 * 1024;

/** The gzip level of stored uploads: low, because the CPU time of every upload costs more than the storage. */
export const uploadCompressionLevel = 2;
