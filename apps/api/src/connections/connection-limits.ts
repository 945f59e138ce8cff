/** Limits on the duration and number of connections. Times are in milliseconds. */
export interface ConnectionLimits {
  /** For all connections of the process. */
  readonly most: number;
  /** Connections of one address that have been without a complete request for longer than `graceMs`. */
  readonly incompletePerAddress: number;
  /** Time for the first message of a TLS handshake, then for the rest of it. */
  readonly handshakeMs: number;
  /** TLS handshakes that have begun and are not done. */
  readonly handshakes: number;
  /** Time for the head of a request, then for its body. Uploads have a limit of their own. */
  readonly requestMs: number;
  /** How long a connection is kept open for its next request. */
  readonly idleMs: number;
  /** The client must read `answerBytes` of an answer, or the rest of it, within this time. */
  readonly answerMs: number;
  /**
   * The average pace at which a client must read an answer, in bytes per second, once it has delayed the answer for
   * `answerMs` in total.
   */
  readonly answerPace: number;
  /** Requests on one connection that may wait for an earlier answer. */
  readonly pipelined: number;
  /** How long a new connection counts only towards `most`. */
  readonly graceMs: number;
  /** How long a connection stays open after an error was answered or its time limit passed. */
  readonly lingerMs: number;
  /** Interval between two checks of all connections. */
  readonly sweepMs: number;
}

/** The bytes of an answer that a client must read within `answerMs`. Answers are written in pieces of this size. */
export const answerBytes = 64 * 1024;

/**
 * The default limits. Load balancers keep idle connections for 60 seconds; neither they nor browsers pipeline requests.
 */
export const connectionLimits: ConnectionLimits = {
  most: 10_000,
  incompletePerAddress: 500,
  handshakeMs: 10_000,
  handshakes: 1_000,
  requestMs: 30_000,
  idleMs: 75_000,
  answerMs: 15_000,
  answerPace: answerBytes,
  pipelined: 4,
  graceMs: 5_000,
  lingerMs: 5_000,
  sweepMs: 500,
};
