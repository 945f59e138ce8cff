import { z } from 'zod';
import { InputError } from './input-error.ts';
import { readInput } from './read-input.ts';

const inventory = z.strictObject({
  /** `ID` and `VERSION_ID` of os-release. */
  os: z.string(),
  version: z.string(),
  /** `uname -r`. */
  kernel: z.string().default(''),
});

const feed = z.strictObject({
  /** The release its records are for, where they do not say it themselves. */
  release: z.string().optional(),
  /** Why the file is left alone. */
  skip: z.string().optional(),
});

const expectation = z.discriminatedUnion('kind', [
  /** Lines `CVE PACKAGE`. */
  z.strictObject({ kind: z.literal('debsecan'), file: z.string() }),
  /** Lines `ADVISORY SEVERITY/Sec. PACKAGE-EVR.ARCH`. */
  z.strictObject({ kind: z.literal('dnf-updateinfo'), file: z.string() }),
  /** A table with column names. `fixState`: what every row of it must have. */
  z.strictObject({ kind: z.literal('table'), file: z.string(), fixState: z.string().optional() }),
  /** Numbers alone. */
  z.strictObject({
    kind: z.literal('counts'),
    counts: z.strictObject({
      pairs: z.number().optional(),
      advisories: z.number().optional(),
      /** Distinct source packages. */
      sources: z.number().optional(),
      packages: z.number().optional(),
      findings: z.number().optional(),
    }),
  }),
]);

const evaluation = z.strictObject({
  name: z.string(),
  inventory: z.string(),
  /** Paths below the folder of feeds; what all of them say together. */
  feeds: z.array(z.string()).min(1),
  /** Advisories published after this day are left out. */
  asOf: z.iso.date().optional(),
  /** What of the answer is compared; `findings`: not the advisories that are hidden or have no fix. */
  lists: z.enum(['all', 'fixed']).default('all'),
  expect: z.array(expectation).min(1),
});

const manifest = z.strictObject({
  inventories: z.record(z.string(), inventory).default({}),
  feeds: z.record(z.string(), feed).default({}),
  evaluations: z.array(evaluation).default([]),
});

/** What is known of a folder of inventories and a folder of feeds besides the files; docs/accuracy.md says more. */
export type Manifest = z.output<typeof manifest>;
/** The system that a table of packages was taken from. */
export type ManifestInventory = z.output<typeof inventory>;
/** How one file of a feed is read. */
export type ManifestFeed = z.output<typeof feed>;
/** One host against some feeds, with what is expected of it. */
export type ManifestEvaluation = z.output<typeof evaluation>;
/** What an evaluation is compared with. */
export type ManifestExpectation = z.output<typeof expectation>;

/** Reads a manifest. Throws InputError with the fields that are wrong. */
export function readManifest(file: string): Manifest {
  return parseJsonFile(file, manifest);
}

/** Reads a JSON file in the form of a schema. Throws InputError with the fields that are wrong. */
export function parseJsonFile<Schema extends z.ZodType>(file: string, schema: Schema): z.output<Schema> {
  const text = readInput(file);
  try {
    return schema.parse(JSON.parse(text));
  } catch (error) {
    const detail = error instanceof z.ZodError ? z.prettifyError(error) : 'is not valid JSON';
    throw new InputError(`${file}: ${detail}`, { cause: error });
  }
}
