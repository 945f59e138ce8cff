import { z } from 'zod';
import { InputError } from './input-error.ts';
import { readInput } from './read-input.ts';
import { rebuilds } from './rebuilds/relabel.ts';

const inventory = z.strictObject({
  /** `ID` and `VERSION_ID` of os-release. */
  os: z.string(),
  version: z.string(),
  /** `uname -r`. */
  kernel: z.string().default(''),
});

const feed = z.strictObject({
  /** The release of its records, if they do not state it. */
  release: z.string().optional(),
  /** Why the file is skipped. */
  skip: z.string().optional(),
});

const expectation = z.discriminatedUnion('kind', [
  /** Lines `CVE PACKAGE`. */
  z.strictObject({ kind: z.literal('debsecan'), file: z.string() }),
  /** Lines `ADVISORY SEVERITY/Sec. PACKAGE-EVR.ARCH`. */
  z.strictObject({ kind: z.literal('dnf-updateinfo'), file: z.string() }),
  /** A table with column names. `fixState`: expected in every row. */
  z.strictObject({ kind: z.literal('table'), file: z.string(), fixState: z.string().optional() }),
  /** Only numbers. */
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
  /** Paths below the folder of feeds; their advisories are combined. */
  feeds: z.array(z.string()).min(1),
  /** Advisories published after this day are excluded. */
  asOf: z.iso.date().optional(),
  /** The compared part of the answer; `findings`: without hidden and unfixed advisories. */
  lists: z.enum(['all', 'fixed']).default('all'),
  expect: z.array(expectation).min(1),
});

const rebuildCheck = z.strictObject({
  inventories: z.array(z.string()).min(1),
  /** Advisories published after this day are excluded. */
  asOf: z.iso.date(),
  /** `ID` of os-release -> a path below the folder of feeds. */
  feeds: z.partialRecord(z.enum(rebuilds), z.string()),
});

const manifest = z.strictObject({
  inventories: z.record(z.string(), inventory).default({}),
  feeds: z.record(z.string(), feed).default({}),
  evaluations: z.array(evaluation).default([]),
  /** Hosts on which distributions built from one source are compared. */
  rebuilds: z.array(rebuildCheck).default([]),
});

/** Additional facts about a folder of inventories and a folder of feeds; see docs/accuracy.md. */
export type Manifest = z.output<typeof manifest>;
/** The system that a table of packages was taken from. */
export type ManifestInventory = z.output<typeof inventory>;
/** How one file of a feed is read. */
export type ManifestFeed = z.output<typeof feed>;
/** One host judged by some feeds, with its expectations. */
export type ManifestEvaluation = z.output<typeof evaluation>;
/** Hosts with the errata of distributions that are built from one source. */
export type ManifestRebuilds = z.output<typeof rebuildCheck>;
/** The expectation of an evaluation. */
export type ManifestExpectation = z.output<typeof expectation>;

/** Reads a manifest. Throws InputError with the invalid fields. */
export function readManifest(file: string): Manifest {
  return parseJsonFile(file, manifest);
}

/** Parses a JSON file with a schema. Throws InputError with the invalid fields. */
export function parseJsonFile<Schema extends z.ZodType>(file: string, schema: Schema): z.output<Schema> {
  const text = readInput(file);
  try {
    return schema.parse(JSON.parse(text));
  } catch (error) {
    const detail = error instanceof z.ZodError ? z.prettifyError(error) : 'is not valid JSON';
    throw new InputError(`${file}: ${detail}`, { cause: error });
  }
}
