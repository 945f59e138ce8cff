/** When a package that runs until the next boot was installed. */
export interface CoreInstall {
  readonly name: string;
  readonly architecture: string;
  readonly version: string;
  readonly installedAt: Date;
}
