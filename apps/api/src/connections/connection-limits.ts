/** How long connections may take, and how many there may be. Times are milliseconds. */
export interface ConnectionLimits {
  /** Of all connections of the process. */
  readonly most: number;
  /** Connections of one address that have waited longer than `graceMs` for a complete request. */
  readonly incompletePerAddress: number;
  /** How long a client may take for TLS, then for the head of a request, then for its body. Uploads set another limit. */
  readonly requestMs: number;
  /** How long a connection is kept for its next request. */
  readonly idleMs: number;
  /** A client takes `answerBytes` of an answer, or the rest of it, in this time. */
  readonly answerMs: number;
  /** What a client takes of an answer on average, in bytes a second, once it has let the answer wait for `answerMs` in all. */
  readonly answerPace: number;
  /** Requests of one connection that wait for the answer to the one ahead of them. */
  readonly pipelined: number;
  /** How long a new connection counts for nothing but `most`. */
  readonly graceMs: number;
  /** How long a connection stays open after it was answered with an error, or after its time is over. */
  readonly lingerMs: number;
  /** How often connections are looked at. */
  readonly sweepMs: number;
}

/** What a client takes of an answer within `answerMs`, in bytes. Answers are written in pieces of this size. */
export const answerBytes = 64 * 1024;

/**
 * The limits where the configuration says nothing else. Load balancers keep idle connections for 60 seconds; neither they
 * nor browsers pipeline requests.
 */
export const connectionLimits: ConnectionLimits = {
  most: 10_000,
  incompletePerAddress: 500,
  requestMs: 30_000,
  idleMs: 75_000,
  answerMs: 15_000,
  answerPace: answerBytes,
  pipelined: 4,
  graceMs: 5_000,
  lingerMs: 5_000,
  sweepMs: 500,
};
