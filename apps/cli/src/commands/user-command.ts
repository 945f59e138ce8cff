import { type PasswordOwner, parseEmail } from '@plimsoll/contract';
import {
  cliActor,
  createSecondFactorStore,
  createUserStore,
  type Database,
  newId,
  type User,
  unlockUser,
} from '@plimsoll/db';
import { type UserId, wholeFleet } from '@plimsoll/model';
import bcrypt from 'bcrypt';
import { Command, InvalidArgumentError } from 'commander';
import { StartError } from '../service/start-error.ts';
import { withDatabase } from '../service/with-database.ts';
import { readPassword } from '../users/read-password.ts';
import { type CommandContext, type ConfigFlags, configOption } from './command-context.ts';

/** The API's cost, so that these hashes are equally hard to guess. */
const passwordCost = 12;

interface PasswordFlags extends ConfigFlags {
  readonly generate?: boolean;
  readonly passwordFile?: string;
}

/** `plimsoll user …`: restores access for the user who runs the server. */
export function userCommand(context: CommandContext): Command {
  return new Command('user')
    .description('restores access for the person who runs the server')
    .addCommand(resetPasswordCommand(context))
    .addCommand(resetFactorCommand(context))
    .addCommand(unlockCommand(context))
    .addCommand(createAdminCommand(context))
    .addCommand(emergencyCommand(context));
}

function resetPasswordCommand(context: CommandContext): Command {
  return withPasswordOptions(new Command('reset-password'))
    .description('give a user another password; ends every session of that user')
    .action(async (email: string, flags: PasswordFlags) => {
      await asActor(context, flags, 'plimsoll user reset-password', async (db, actor) => {
        const user = await findUser(db, email);
        const password = await passwordOf(flags, user, context);
        const passwordHash = await bcrypt.hash(password, passwordCost);
        await createUserStore(db).update(user.id, { passwordHash }, actor);
        await unlockUser(db, user, actor);
        context.say(`The password of ${user.email} was changed; every session of this user has ended.`);
        sayGenerated(flags, password, context);
        warnOfDisabled(user, context);
      });
    });
}

function resetFactorCommand(context: CommandContext): Command {
  return new Command('reset-second-factor')
    .description('remove every second factor of a user who lost them; ends every session of that user')
    .argument('<email>', 'the user', readEmail)
    .addOption(configOption())
    .action(async (email: string, flags: ConfigFlags) => {
      await asActor(context, flags, 'plimsoll user reset-second-factor', async (db, actor) => {
        const user = await findUser(db, email);
        const hadFactor = await createSecondFactorStore(db).reset(user.id, actor);
        context.say(
          hadFactor === true
            ? `${user.email} has no second factor now; every session of this user has ended.`
            : `${user.email} has no second factor. Nothing was changed.`,
        );
        warnOfDisabled(user, context);
      });
    });
}

function unlockCommand(context: CommandContext): Command {
  return new Command('unlock')
    .description('let a user sign in again at once after too many failed attempts')
    .argument('<email>', 'the user', readEmail)
    .addOption(configOption())
    .action(async (email: string, flags: ConfigFlags) => {
      await asActor(context, flags, 'plimsoll user unlock', async (db, actor) => {
        const user = await findUser(db, email);
        const wasCounted = await unlockUser(db, user, actor);
        context.say(
          wasCounted
            ? `${user.email} can sign in again, from every address that failed for this user too.`
            : `No failed attempt of ${user.email} is remembered: this account is not locked.`,
        );
        warnOfDisabled(user, context);
      });
    });
}

function createAdminCommand(context: CommandContext): Command {
  return withPasswordOptions(new Command('create-admin'))
    .description('add a user with every right')
    .action(async (email: string, flags: PasswordFlags) => {
      await asActor(context, flags, 'plimsoll user create-admin', async (db, actor) => {
        const users = createUserStore(db);
        if ((await users.findByEmail(email)) !== null) {
          throw new StartError(
            `There is a user ${email} already. "plimsoll user reset-password ${email}" gives it another password.`,
          );
        }
        const password = await passwordOf(flags, { email }, context);
        const passwordHash = await bcrypt.hash(password, passwordCost);
        const id = newId<UserId>();
        await users.create({ id, email, name: '', role: 'admin', scope: wholeFleet, passwordHash }, actor);
        context.say(`${email} was added, with the role admin.`);
        sayGenerated(flags, password, context);
      });
    });
}

const emergencyMinutes = 60;

function emergencyCommand(context: CommandContext): Command {
  return new Command('emergency')
    .description('let a user sign in with a password for an hour although local accounts are switched off')
    .argument('<email>', 'the user', readEmail)
    .addOption(configOption())
    .action(async (email: string, flags: ConfigFlags) => {
      await asActor(context, flags, 'plimsoll user emergency', async (db, actor) => {
        const user = await findUser(db, email);
        const until = await createUserStore(db).allowPassword(user, emergencyMinutes, actor);
        context.say(`${user.email} can sign in with a password until ${until.toISOString()}.`);
        if (user.passwordHash === null)
          context.warn(`There is none yet: "plimsoll user reset-password ${user.email}" sets one.`);
        warnOfDisabled(user, context);
      });
    });
}

function withPasswordOptions(command: Command): Command {
  return command
    .argument('<email>', 'the user', readEmail)
    .option('--generate', 'choose a password and print it once')
    .option('--password-file <file>', 'read it from the first line of a file; - is standard input')
    .addOption(configOption());
}

/** In lower case, as the API stores it. */
function readEmail(text: string): string {
  const email = parseEmail(text);
  if (email !== null) return email;
  throw new InvalidArgumentError('It is not an e-mail address.');
}

function passwordOf(
  { generate = false, passwordFile }: PasswordFlags,
  owner: PasswordOwner,
  context: CommandContext,
) {
  const ask = (question: string): void => void process.stderr.write(question);
  return readPassword(
    { generate, file: passwordFile ?? null, owner },
    { input: context.input ?? process.stdin, ask },
  );
}

function sayGenerated({ generate = false }: PasswordFlags, password: string, { say }: CommandContext): void {
  if (generate) say(`Password, shown this once: ${password}`);
}

function warnOfDisabled({ email, disabledAt }: User, { warn }: CommandContext): void {
  if (disabledAt !== null) warn(`${email} is disabled and cannot sign in before an admin enables it.`);
}

async function findUser(db: Database, email: string): Promise<User> {
  const user = await createUserStore(db).findByEmail(email);
  if (user !== null) return user;
  throw new StartError(`There is no user ${email}. "plimsoll user create-admin ${email}" adds one.`);
}

function asActor(
  context: CommandContext,
  flags: ConfigFlags,
  command: string,
  work: (db: Database, actor: ReturnType<typeof cliActor>) => Promise<void>,
): Promise<void> {
  return withDatabase(context, flags, command, (db) => work(db, cliActor(command)));
}
