import { rmSync } from 'node:fs';
import {
  missingCommands,
  missingForPrivateHost,
  newFolder,
  type PrivateHost,
  privateHost,
} from '@plimsoll/testing';
import { AgentServer } from './agent-server.ts';
import { buildScripts } from './built-scripts.ts';
import { smallAptHost, writeTools } from './fake-tools.ts';

/** What this machine lacks for tests that install the agent. */
export const missingForInstall: readonly string[] = [
  ...missingForPrivateHost(),
  ...missingCommands('runuser', 'useradd', 'curl', 'wget'),
];

/** Shell text: uses quick fakes instead of the host's package manager. */
export const quick = 'export PATH=/host/tools:$PATH';

/** Shell text: makes systemd look running. */
export const withSystemd = 'mkdir -p /run/systemd/system';

/** Shell text: removes every scheduler, so that nothing starts the agent. */
export const bare =
  'rm -rf /run/systemd /etc/cron.d; for name in cron crond anacron; do rm -f "$(command -v $name)"; done';

/** Shell text: installs a cron that does not run. */
export const daemon = 'cp "$(command -v sleep)" /usr/sbin/cron';

/** Shell text: makes cron the only scheduler, and starts it. */
export const withCron = `${bare}; mkdir /etc/cron.d; ${daemon}; cron 600 </dev/null >/dev/null 2>&1 &`;

/** Shell text: prints everything that an installation leaves on a host. */
export const traces =
  'ls -d /usr/local/sbin/plimsoll-agent* /var/lib/plimsoll-agent /etc/cron.d/plimsoll-agent 2>/dev/null; id plimsoll-agent 2>&1';

/** A host to install the agent on, and the server that it enrols with. */
export interface InstallSite {
  /** `/host` of the host. */
  readonly folder: string;
  readonly host: PrivateHost;
  /** Another one for each test. */
  readonly server: AgentServer;
  /** The command that installs the agent. */
  install(): string;
  /** Replaces the server by a new one. */
  restart(): Promise<void>;
}

/** Sets a site up for the tests of the surrounding group, and removes it after them. */
export function installSite(name: string): InstallSite {
  const folder = newFolder(name);
  let server: AgentServer;

  beforeAll(() => {
    buildScripts(folder);
    writeTools(`${folder}/tools`, {
      ...smallAptHost,
      systemctl: 'echo "$*" >>/tmp/systemctl',
    });
  });
  beforeEach(async () => {
    server = await AgentServer.start();
  });
  afterEach(() => server.stop());
  afterAll(() => rmSync(folder, { recursive: true, force: true }));

  return {
    folder,
    host: privateHost(folder),
    get server() {
      return server;
    },
    install: () => `printf plr_token | sh /host/plimsoll-agent install ${server.origin}`,
    async restart() {
      await server.stop();
      server = await AgentServer.start();
    },
  };
}
