/** What a VEX document says besides its statements. */
export interface VexMetadata {
  /** A URN. */
  readonly id: string;
  /** What the document is about: the name of a host, or hosts in words. */
  readonly subject: string;
  /** ISO 8601. */
  readonly at: string;
  /** What limits the knowledge, as sentences. */
  readonly limits: readonly string[];
}

/** The product that a host is in VEX documents of Plimsoll; an import finds the host by it. */
export function hostUrn(hostId: string): string {
  return `urn:uuid:${hostId}`;
}
