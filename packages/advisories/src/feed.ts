import type { OsvDialect } from './osv/dialect.ts';

/** Where advisories come from: one upstream export in one format, for the releases of one distribution. */
export interface FeedDefinition {
  readonly id: string;
  /** `id` of the distribution it speaks for. */
  readonly distribution: string;
  readonly format: 'osv';
  /** OSV's name of the ecosystem, without a release. */
  readonly ecosystem: string;
  /** The whole export, under `feeds.base_url`. */
  readonly path: string;
  readonly dialect: OsvDialect;
}
