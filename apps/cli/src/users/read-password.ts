import { randomBytes } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { createInterface } from 'node:readline/promises';
import { Writable } from 'node:stream';
import { commonPasswordFault, type PasswordOwner, passwordFault } from '@plimsoll/contract';
import { StartError } from '../service/start-error.ts';

/** Where a password comes from: generated, in a file, or typed. */
export interface PasswordSource {
  readonly generate: boolean;
  /** `-` is standard input. */
  readonly file: string | null;
  /** The user it is for. */
  readonly owner: PasswordOwner;
}

/** A terminal, or a replacement in tests. */
export interface PasswordTerminal {
  readonly input: NodeJS.ReadableStream & { readonly isTTY?: boolean };
  /** Prints a line or a question; typed text is never shown. */
  readonly ask: (question: string) => void;
}

/**
 * A new password: 24 random characters, the first line of a file, or typed twice at a terminal without echo. Without a
 * terminal and a file, the first line of standard input. Throws StartError for a password that the API would refuse.
 */
export async function readPassword(
  { generate, file, owner }: PasswordSource,
  terminal: PasswordTerminal,
): Promise<string> {
  if (generate && file !== null) throw new StartError('--generate and --password-file say different things.');
  if (generate) return randomBytes(18).toString('base64url');
  const password = await givenPassword(file, terminal);
  const fault = passwordFault(password) ?? commonPasswordFault(password, owner);
  if (fault !== null) throw new StartError(`The password ${fault}.`);
  return password;
}

async function givenPassword(file: string | null, terminal: PasswordTerminal): Promise<string> {
  if (file !== null && file !== '-') return firstLine(await readText(file));
  if (file === '-' || terminal.input.isTTY !== true) return firstLine(await readAll(terminal.input));
  const [password, again] = await typed(['New password: ', 'Again: '], terminal);
  if (password === undefined || again === undefined) throw new StartError('Nothing was changed.');
  if (again !== password) throw new StartError('The two passwords differ.');
  return password;
}

async function readText(file: string): Promise<string> {
  try {
    return await readFile(file, 'utf8');
  } catch (cause) {
    throw new StartError(`${file} cannot be read.`, { cause });
  }
}

async function readAll(input: NodeJS.ReadableStream): Promise<string> {
  let text = '';
  for await (const chunk of input) {
    text += String(chunk);
    if (text.length > 4096) break;
  }
  return text;
}

function firstLine(text: string): string {
  return text.split(/\r?\n/, 1)[0] ?? '';
}

/**
 * The text typed after each question; fewer entries if the input ends earlier, as with Ctrl-C. The terminal echoes
 * nothing: readline edits the line, and its output is discarded.
 */
async function typed(
  questions: readonly string[],
  { input, ask }: PasswordTerminal,
): Promise<readonly string[]> {
  const nowhere = new Writable({ write: (_chunk, _encoding, done) => done() });
  const lines = createInterface({ input, output: nowhere, terminal: true });
  lines.on('SIGINT', () => lines.close());
  const answers = lines[Symbol.asyncIterator]();
  const found: string[] = [];
  try {
    for (const question of questions) {
      ask(question);
      const answer = await answers.next();
      ask('\n');
      if (answer.done === true) break;
      found.push(answer.value);
    }
    return found;
  } finally {
    lines.close();
  }
}
