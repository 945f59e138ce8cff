/** A moment in the life of a host. */
export interface Moment {
  /** The day of the fleet, from 0, on which drift depends. */
  readonly day: number;
  /** The time of that moment by the clock of the world. */
  readonly at: Date;
  /** Counts rollouts of the local package `site-config`; 0: the host does not have it. */
  readonly revision?: number;
  /** The share of packages that have a version which no other host and no other moment has. */
  readonly newVersions?: number;
}
