/**
 * How long a release is supported. `endsAt` is the first moment out of support, with the long-term support that is free
 * for all. `extended` is what a subscription adds to it, the shortest first; left out where it adds nothing.
 */
export interface Lifecycle {
  readonly endsAt: Date;
  readonly extended?: readonly ExtendedSupport[];
}

/** Support that takes a service of a subscription, until `endsAt`. */
export interface ExtendedSupport {
  readonly service: string;
  readonly endsAt: Date;
}
