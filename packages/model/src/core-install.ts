/** Install time of a package whose running version changes only at the next boot. */
export interface CoreInstall {
  readonly name: string;
  readonly architecture: string;
  readonly version: string;
  readonly installedAt: Date;
}
