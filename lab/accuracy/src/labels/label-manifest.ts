import { z } from 'zod';
import { parseJsonFile } from '../manifest.ts';

const image = z.strictObject({
  /** Its name and tag. */
  name: z.string(),
  /** `ID` and `VERSION_ID` of os-release; absent: see `outside`. */
  os: z.string().optional(),
  version: z.string().optional(),
  /** The content of an image without packages of a supported distribution. */
  outside: z.string().optional(),
});

const labelManifest = z.strictObject({
  /** Release -> paths below the folder of feeds; their advisories are combined. */
  feeds: z.record(z.string(), z.array(z.string()).min(1)),
  /** osv.dev's name of a distribution's release -> `ID` and `VERSION_ID`; others are of no supported distribution. */
  ecosystems: z.record(z.string(), z.strictObject({ os: z.string(), version: z.string() })).default({}),
  /**
   * Files below the folder of feeds that state the source packages of binary packages: AlmaLinux's errata as
   * JSON (`almalinux-errata`), or the index of an archive, of the given release.
   */
  sources: z.record(z.string(), z.string()).default({}),
  /**
   * Red Hat's CVE records, below the folder of feeds: for CVEs that the data of a Red Hat release or a
   * rebuild does not contain.
   */
  redHatCves: z.string().optional(),
  /** First characters of an image's digest -> the image. */
  images: z.record(z.string().regex(/^[0-9a-f]{12}$/), image),
});

/** The images that have match labels, and the advisories for them. */
export type LabelManifest = z.output<typeof labelManifest>;
/** One image. */
export type LabelledImage = LabelManifest['images'][string];

/** Reads a manifest of labels. Throws InputError with the invalid fields. */
export function readLabelManifest(file: string): LabelManifest {
  return parseJsonFile(file, labelManifest);
}
