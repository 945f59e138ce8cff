/** Formats of VEX documents. */
export const vexFormats = ['openvex', 'cyclonedx', 'csaf'] as const;

/** One of `vexFormats`. */
export type VexFormat = (typeof vexFormats)[number];

/**
 * What a statement says of a package. `not_affected` includes false positives. `mitigated`: something else prevents the
 * attack. `fixed`: the version has the fix. `other`: a word that the format does not have.
 */
export type VexStatus = 'not_affected' | 'mitigated' | 'fixed' | 'affected' | 'under_investigation' | 'other';

/** What a statement is about. */
export interface VexProduct {
  /** As the document names it, for people; may be empty. */
  readonly shown: string;
  /** Its purl; null if the document has none. */
  readonly purl: string | null;
  /** The product that it is a part of, as the document names it; null: none is named. */
  readonly within: string | null;
  /** The id of the host that it is a part of; null: no host is named. */
  readonly hostId: string | null;
}

/** A statement names none. */
export const noProduct: VexProduct = { shown: '', purl: null, within: null, hostId: null };

/** One vulnerability and one product. */
export interface VexStatement {
  /** Where it is in the document (RFC 6901). */
  readonly pointer: string;
  /** The names of the vulnerability: CVEs and other ids; may be empty. */
  readonly names: readonly string[];
  readonly product: VexProduct;
  readonly status: VexStatus;
  /** The reasons in the document's words; may be empty. */
  readonly reason: string;
}

/** A document that was read. */
export interface VexDocument {
  readonly format: VexFormat;
  /** As the document has it; may be empty. */
  readonly id: string;
  readonly statements: readonly VexStatement[];
}

/** The largest number of statements of a document; a larger one is refused as a whole. */
export const mostVexStatements = 5_000;

/** Thrown through the readers when a document has more. */
export class TooManyStatements extends Error {}

/** The justifications of "not affected" that name a mitigation (VEX status justifications of CISA; CycloneDX 1.6). */
export const mitigations: ReadonlySet<string> = new Set([
  'inline_mitigations_already_exist',
  'protected_by_compiler',
  'protected_at_runtime',
  'protected_at_perimeter',
  'protected_by_mitigating_control',
]);
