import { createHash } from 'node:crypto';
import { productVersion } from '@plimsoll/model';
import { z } from 'zod';
import { StartError } from '../service/start-error.ts';
import type { TarEntry } from './tar.ts';

/** Counted up when an older program could not read what a newer one writes. */
export const backupFormat = 1;

/** The first file of a backup. */
export const manifestName = 'manifest.json';
/** The last file: the SHA-256 of all others, as `sha256sum` writes them. */
export const sumsName = 'SHA256SUMS';
/** The settings file, as it was. */
export const settingsName = 'settings/plimsoll.yaml';

/** The files with keys, by their place in a backup. */
export const keyNames = [
  'keys/ssh.sealing_keys',
  'keys/ssh.sealing_public_key',
  'keys/notifications.keys',
  'keys/notifications.public_key',
  'keys/api.jwt_secret_key',
] as const;

/** A file with keys. */
export type KeyName = (typeof keyNames)[number];

/** The name of a piece of the gzipped rows of a table, counted from 1. All pieces, one after the other, are one gzip file. */
export function pieceName(table: string, n: number): string {
  return `tables/${table}.copy.gz.${String(n).padStart(6, '0')}`;
}

/** A file's line of `sumsName`. */
export function sumLine({ name, bytes }: TarEntry): string {
  return `${createHash('sha256').update(bytes).digest('hex')}  ${name}\n`;
}

const identifier = z.string().regex(/^[a-z_][a-z0-9_]{0,62}$/);

const manifest = z.object({
  format: z.literal(backupFormat),
  /** Of the program that wrote the backup. */
  version: z.string().max(100),
  created_at: z.iso.datetime(),
  schema: z.object({
    migrations: z
      .array(z.object({ name: z.string().max(255), checksum: z.string().max(64) }))
      .max(10_000)
      .readonly(),
    digest: z
      .string()
      .regex(/^([0-9a-f]{2})*$/)
      .nullable(),
    program: z.string().max(100).nullable(),
  }),
  tables: z
    .array(
      z.object({
        name: identifier,
        columns: z.array(identifier).max(1600).readonly(),
        rows: z.number().int().min(0),
      }),
    )
    .max(10_000)
    .readonly(),
  sequences: z
    .array(
      z.object({
        name: identifier,
        value: z
          .string()
          .regex(/^\d{1,19}$/)
          .nullable(),
      }),
    )
    .max(10_000)
    .readonly(),
  /** Why keys are missing, as a sentence; null: all are there. */
  keys_missing: z.string().max(1000).nullable(),
});

/** What a backup says about itself. */
export type Manifest = z.infer<typeof manifest>;

/** Parses the first file of a backup. Throws StartError if it is damaged or has a format of a newer program. */
export function parseManifest(bytes: Buffer): Manifest {
  let json: unknown;
  try {
    json = JSON.parse(bytes.toString('utf8'));
  } catch (cause) {
    throw new StartError('The manifest of the backup is damaged.', { cause });
  }
  const { data: header } = z.object({ format: z.number(), version: z.string().max(100) }).safeParse(json);
  if (header !== undefined && header.format > backupFormat)
    throw new StartError(
      `The backup has format ${header.format}, which version ${productVersion} cannot read: restore it with version ${header.version} or newer.`,
    );
  const { data, error } = manifest.safeParse(json);
  if (error !== undefined) throw new StartError('The manifest of the backup is damaged.', { cause: error });
  return data;
}
