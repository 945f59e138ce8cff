import { z } from 'zod';
import { parseJsonFile } from '../manifest.ts';

const image = z.strictObject({
  /** Its name and tag. */
  name: z.string(),
  /** `ID` and `VERSION_ID` of os-release; absent: see `outside`. */
  os: z.string().optional(),
  version: z.string().optional(),
  /** What it holds instead of packages of a supported distribution. */
  outside: z.string().optional(),
});

const labelManifest = z.strictObject({
  /** Release -> paths below the folder of feeds; their advisories are combined. */
  feeds: z.record(z.string(), z.array(z.string()).min(1)),
  /**
   * Files below the folder of feeds that name the source packages of binary packages: AlmaLinux's errata as JSON
   * (`almalinux-errata`), or an archive's index, of the release stated.
   */
  sources: z.record(z.string(), z.string()).default({}),
  /** Red Hat's CVE records, below the folder of feeds: what a Red Hat release and its rebuilds are silent about. */
  redHatCves: z.string().optional(),
  /** First characters of an image's digest -> the image. */
  images: z.record(z.string().regex(/^[0-9a-f]{12}$/), image),
});

/** The images that match labels are about, and the advisories that judge them. */
export type LabelManifest = z.output<typeof labelManifest>;
/** One image. */
export type LabelledImage = LabelManifest['images'][string];

/** Reads a manifest of labels. Throws InputError with the invalid fields. */
export function readLabelManifest(file: string): LabelManifest {
  return parseJsonFile(file, labelManifest);
}
