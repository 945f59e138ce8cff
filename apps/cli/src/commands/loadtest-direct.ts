import { readConfig } from '@plimsoll/config';
import { type Database, readConnectedRole } from '@plimsoll/db';
import { createFleet, readModels, seedFleet } from '@plimsoll/loadtest';
import { findOwnerUrl } from '../service/running-database.ts';
import { StartError } from '../service/start-error.ts';
import { withDatabaseAt } from '../service/with-database.ts';
import type { CommandContext, ConfigFlags } from './command-context.ts';

/** The options of `plimsoll loadtest --direct`. */
export interface DirectFlags extends ConfigFlags {
  readonly add: boolean;
  readonly hosts: number;
  /** Days of history, the last of them today. */
  readonly days: number;
  readonly seed: number;
  readonly models: readonly string[];
  readonly databaseUrl?: string;
}

const poolSize = 16;

/**
 * Writes a fleet and its past into a database, by the code of the API and the workers. Throws StartError if the database
 * has hosts and `add` is not set, or if the user of its URL does not own it.
 */
export async function seedDirectly(
  flags: DirectFlags,
  { env, projectDir, say }: Pick<CommandContext, 'env' | 'projectDir' | 'say'>,
): Promise<void> {
  const config = await readConfig({ env, configPath: flags.config ?? null, projectDir });
  const models = await readModels(flags.models);
  const databaseUrl = flags.databaseUrl ?? (await findOwnerUrl(config));
  const place = { databaseUrl, applicationName: 'plimsoll loadtest' };
  const seed = async (db: Database) => {
    const { role, power } = await readConnectedRole(db);
    if (power === 'limited')
      throw new StartError(`The database role ${role} is limited: give the owner's URL with --database-url.`);
    const { rows } = await db.pool.query<{ has: boolean }>('SELECT EXISTS (SELECT FROM hosts) AS has');
    if (rows[0]?.has === true && !flags.add)
      throw new StartError('The database already has hosts: give --add to add the invented ones to them.');
    const fleet = createFleet({ models, hosts: flags.hosts, seed: flags.seed });
    await seedFleet(db, fleet, { now: new Date(), days: flags.days, payloads: true, say });
  };
  await withDatabaseAt(place, seed, poolSize);
}
