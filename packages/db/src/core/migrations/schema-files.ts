import { createHash } from 'node:crypto';
import { readdir, readFile } from 'node:fs/promises';
import path from 'node:path';

/** A script with its name, which is its place in the order. */
export interface Script {
  readonly name: string;
  readonly sql: string;
  /** SHA-256 of the script in hexadecimal, as in Prisma's table. */
  readonly checksum: string;
}

/** The scripts that make the schema. */
export interface SchemaFiles {
  /** `migrations/NAME/migration.sql`: each is applied once. */
  readonly migrations: readonly Script[];
  /** `sql/ROOM.sql`: functions, triggers and views, all applied again after each change of any script. */
  readonly definitions: readonly Script[];
  /** SHA-256 of all scripts and their order. */
  readonly digest: Buffer;
}

/** Reads the scripts of a folder `prisma`. Rejects if one is missing. */
export async function readSchemaFiles(schemaDir: string): Promise<SchemaFiles> {
  const folders = await migrationNames(schemaDir);
  const rooms = (await readdir(path.join(schemaDir, 'sql'))).filter((file) => file.endsWith('.sql')).sort();
  const migrations = await Promise.all(
    folders.map((name) => readScript(name, path.join(schemaDir, 'migrations', name, 'migration.sql'))),
  );
  const definitions = await Promise.all(
    rooms.map((file) => readScript(file, path.join(schemaDir, 'sql', file))),
  );
  const digest = createHash('sha256');
  for (const { name, checksum } of [...migrations, ...definitions]) digest.update(`${name} ${checksum}\n`);
  return { migrations, definitions, digest: digest.digest() };
}

/** The names of the migrations of a folder `prisma`, in order. */
export async function migrationNames(schemaDir: string): Promise<readonly string[]> {
  const entries = await readdir(path.join(schemaDir, 'migrations'), { withFileTypes: true });
  return entries
    .filter((entry) => entry.isDirectory())
    .map(({ name }) => name)
    .sort();
}

async function readScript(name: string, file: string): Promise<Script> {
  const bytes = await readFile(file);
  return { name, sql: bytes.toString('utf8'), checksum: createHash('sha256').update(bytes).digest('hex') };
}
