/**
 * The support period of a release. `endsAt`: the end of free support, including free long-term support. `extended`:
 * periods that a subscription adds, the shortest first; absent if it adds none.
 */
export interface Lifecycle {
  readonly endsAt: Date;
  readonly extended?: readonly ExtendedSupport[];
}

/** Support that requires a subscription service, until `endsAt`. */
export interface ExtendedSupport {
  readonly service: string;
  readonly endsAt: Date;
  /** Another publisher's support: the distribution's own records say nothing of the release then. */
  readonly byOthers?: true;
}
