import { setTimeout as delay } from 'node:timers/promises';
import { type Config, readConfig } from '@plimsoll/config';
import { cliActor, createAuditStore, createSshKeyStore, type Database } from '@plimsoll/db';
import { createKeyFiles } from '@plimsoll/secrets';
import { Command } from 'commander';
import { keyFilePaths } from '../secrets/key-file-paths.ts';
import { prepareRotation, type Rotation, rotateKeys } from '../secrets/rotate-keys.ts';
import { withRotationLock } from '../secrets/rotation-lock.ts';
import { StartError } from '../service/start-error.ts';
import { withDatabase } from '../service/with-database.ts';
import { type CommandContext, type ConfigFlags, configOption } from './command-context.ts';

/** Longer than the API's statement limit (30 s): by then, data sealed to the old key is stored or never will be. */
const lapseMs = 35_000;
const shownRecords = 10;

interface RotateFlags extends ConfigFlags {
  readonly prepare?: boolean;
  readonly keepOld?: boolean;
}

/** `plimsoll secrets create` and `plimsoll secrets rotate`: the keys that private SSH keys are sealed with. */
export function secretsCommand(context: CommandContext): Command {
  return new Command('secrets')
    .description('the keys that private SSH keys are sealed with')
    .addCommand(createCommand(context))
    .addCommand(rotateCommand(context));
}

function createCommand({ env, projectDir, say }: CommandContext): Command {
  return new Command('create')
    .description('create the key ring and the public key file, unless they exist')
    .addOption(configOption())
    .action(async (flags: ConfigFlags) => {
      const files = keyFilePaths(await readConfig({ env, configPath: flags.config ?? null, projectDir }));
      const { keyId, ringMade, publicKeyMade } = await createKeyFiles(files);
      if (ringMade) say(`Made ${files.keysFile}, the private keys: for the ssh-worker alone.`);
      if (publicKeyMade) say(`Made ${files.publicKeyFile}, the public key: for the API.`);
      say(`Private SSH keys are sealed to key ${keyId}.`);
    });
}

function rotateCommand(context: CommandContext): Command {
  const { say } = context;
  return new Command('rotate')
    .description('seal everything to a new key while the service runs, and drop the old ones')
    .option('--prepare', 'only add the new key to the ring; the next rotation uses it')
    .option('--keep-old', 'leave the old keys in the ring; the next rotation drops them')
    .addOption(configOption())
    .action(async (flags: RotateFlags) => {
      if (flags.prepare === true && flags.keepOld === true) {
        throw new StartError('--prepare and --keep-old are steps of their own: choose one.');
      }
      await withDatabase(context, flags, 'plimsoll secrets rotate', (db, config) =>
        withRotationLock(db, (proceed) =>
          flags.prepare === true
            ? prepare(config, say)
            : rotate({ config, db, proceed, say, keepOld: flags.keepOld === true }),
        ),
      );
    });
}

async function prepare(config: Config, say: (line: string) => void): Promise<void> {
  const files = keyFilePaths(config);
  const { keyId, made } = await prepareRotation(files);
  say(`${made ? 'Added' : 'There is already'} key ${keyId} in ${files.keysFile}, not in use yet.`);
  say('When every ssh-worker has this file, run "plimsoll secrets rotate".');
}

interface RotateOptions {
  readonly config: Config;
  readonly db: Database;
  readonly proceed: () => void;
  readonly say: (line: string) => void;
  readonly keepOld: boolean;
}

async function rotate({ config, db, proceed, say, keepOld }: RotateOptions): Promise<void> {
  const files = keyFilePaths(config);
  const rotation = await rotateKeys({
    files,
    boxes: createSshKeyStore(db),
    keepOld,
    proceed,
    lapse: async () => {
      if (keepOld) return;
      say(`Everything is sealed anew; looking once more in ${lapseMs / 1000} seconds.`);
      await delay(lapseMs);
    },
  });
  await createAuditStore(db).note({
    action: 'secrets.rotated',
    actor: cliActor('plimsoll secrets rotate'),
    target: null,
    details: { key_id: rotation.keyId, resealed: rotation.resealed, dropped: rotation.dropped },
  });
  summarise(rotation, keepOld, say);
}

function summarise(rotation: Rotation, keepOld: boolean, say: (line: string) => void): void {
  const { keyId, origin, resealed, dropped, kept, unopened } = rotation;
  if (origin === 'resumed') say('An earlier rotation had not come to its end: this was the rest of it.');
  say(`Private SSH keys are sealed to key ${keyId}: ${resealed} sealed anew.`);
  say(
    `Old keys dropped: ${dropped.join(', ') || 'none'}${kept.length > 0 ? `; kept: ${kept.join(', ')}` : ''}.`,
  );
  if (keepOld) say('When every API has the new public key file, run "plimsoll secrets rotate" for the rest.');
  if (unopened.length === 0) return;
  for (const { id, reason } of unopened.slice(0, shownRecords)) say(`SSH key pair ${id}: ${reason}`);
  throw new StartError(
    `Of the SSH key pairs ${unopened.length} could not be opened. They stay as they are: their hosts need new SSH keys.`,
  );
}
