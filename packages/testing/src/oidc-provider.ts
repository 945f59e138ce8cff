import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import path from 'node:path';
import { createInterface } from 'node:readline';

/** A user at the provider. */
export interface ProviderAccount {
  readonly sub: string;
  readonly email?: string;
  readonly email_verified?: boolean;
  readonly name?: string;
  readonly groups?: readonly string[];
}

/** Where the provider may send browsers. */
interface ProviderSetup {
  readonly redirectUri: string;
  readonly postLogoutUri: string;
  /** Whether claims are in the answer of the userinfo endpoint only. */
  readonly thinIdTokens?: boolean;
  readonly backchannelLogoutUri?: string;
}

/** oidc-provider in a process of its own. */
export interface TestOidcProvider {
  readonly issuer: string;
  /** Creates the provider anew, with another signing key and without sessions. */
  setUp(setup: ProviderSetup): Promise<void>;
  /** Chooses the user who signs in next; null: the user cancels. */
  choose(account: ProviderAccount | null): Promise<void>;
  /** How often a user had to sign in. */
  interactions(): Promise<number>;
  stop(): Promise<void>;
}

/** Starts the provider on a free port. */
export async function startOidcProvider(projectDir: string): Promise<TestOidcProvider> {
  const child = spawn(
    process.execPath,
    [path.join(projectDir, 'packages/testing/src/oidc-provider-process.mjs')],
    {
      stdio: ['pipe', 'pipe', 'inherit'],
    },
  );
  const issuer = await firstLine(child);
  const put = async (place: string, body: unknown) => {
    const answer = await fetch(`${issuer}/test/${place}`, { method: 'PUT', body: JSON.stringify(body) });
    if (!answer.ok) throw new Error(await answer.text());
  };
  return {
    issuer,
    setUp: (setup) => put('setup', setup),
    choose: (account) => put('account', account),
    interactions: async () => Number(await (await fetch(`${issuer}/test/interactions`)).text()),
    async stop() {
      const ended = once(child, 'exit');
      child.stdin?.end();
      await ended;
    },
  };
}

async function firstLine({ stdout }: ChildProcess): Promise<string> {
  if (stdout === null) throw new Error('the provider has no output');
  for await (const line of createInterface({ input: stdout })) return line;
  throw new Error('the provider has ended');
}
