import { stat } from 'node:fs/promises';
import { EmbeddedError } from '../embedded-error.ts';
import { type Account, runProgram } from '../run-program.ts';

const accountNames = ['postgres', 'plimsoll'] as const;

/**
 * The OS user for PostgreSQL: the current user, except for root, as which PostgreSQL refuses to run. For root it is the
 * owner of the cluster if there is one, otherwise the user `postgres` or `plimsoll`; the latter is created if neither
 * exists.
 */
export async function findServerAccount(cluster: string): Promise<Account> {
  const ownUid = process.getuid?.() ?? -1;
  const owner = await stat(cluster).catch(() => null);
  if (ownUid !== 0) {
    if (owner === null || owner.uid === ownUid || ownUid === -1) return { kind: 'own' };
    throw new EmbeddedError(
      'not_owner',
      `${cluster} belongs to another user (uid ${owner.uid}): start as that user`,
    );
  }
  if (owner !== null && owner.uid !== 0) return { kind: 'other', uid: owner.uid, gid: owner.gid };

  const existing = await findAccount();
  if (existing !== null) return existing;
  await runProgram({
    program: 'useradd',
    args: ['--system', '--no-create-home', '--shell', '/usr/sbin/nologin', 'plimsoll'],
  });
  const created = await findAccount();
  if (created !== null) return created;
  throw new EmbeddedError(
    'no_unprivileged_user',
    'PostgreSQL refuses to run as root, and there is no user "postgres" or "plimsoll" it could run as. ' +
      'Create one (useradd --system plimsoll), start as an ordinary user, or set database.url.',
  );
}

async function findAccount(): Promise<Account | null> {
  for (const name of accountNames) {
    const [uid, gid] = await Promise.all([numberOf('-u', name), numberOf('-g', name)]);
    if (uid !== null && gid !== null) return { kind: 'other', uid, gid };
  }
  return null;
}

async function numberOf(option: '-u' | '-g', name: string): Promise<number | null> {
  const { code, output } = await runProgram({ program: 'id', args: [option, name] });
  const id = Number(output.trim());
  return code === 0 && Number.isSafeInteger(id) && id > 0 ? id : null;
}
