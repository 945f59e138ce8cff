import { readFile, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { StartError } from '../service/start-error.ts';

/**
 * The same on every machine. Apps get ten seconds to stop, then the private servers. MemoryDenyWriteExecute is missing:
 * the compiler of Node.js needs such memory.
 */
const fixed = `Type=exec Restart=always RestartSec=5 TimeoutStopSec=120 KillMode=mixed
  MemoryHigh=75% MemoryMax=90% OOMPolicy=continue TasksMax=2048 LimitNOFILE=65536 UMask=0077 NoNewPrivileges=yes
  PrivateTmp=yes PrivateDevices=yes ProtectSystem=strict ProtectProc=invisible ProtectClock=yes ProtectHostname=yes
  ProtectControlGroups=yes ProtectKernelLogs=yes ProtectKernelModules=yes ProtectKernelTunables=yes
  LockPersonality=yes RestrictNamespaces=yes RestrictRealtime=yes RestrictSUIDSGID=yes StandardOutput=journal
  SystemCallArchitectures=native SystemCallFilter=@system-service SystemCallErrorNumber=EPERM`;

/** What the unit of one machine depends on: absolute paths, the folders it writes to, and the API's port. */
export interface UnitPlace {
  readonly user: string;
  readonly node: string;
  readonly projectDir: string;
  readonly dataDir: string;
  readonly settingsFile: string | null;
  /** Folders besides dataDir, by their settings. */
  readonly writes: readonly (readonly [setting: string, folder: string])[];
  readonly port: number;
}

/** The text of plimsoll.service. Throws StartError for a user or a path that it cannot work with. */
export function systemdUnit({ user, port, ...place }: UnitPlace): string {
  const { node, projectDir, dataDir, settingsFile } = place;
  if (!/^[a-z_][a-z0-9_-]*$/i.test(user) || user === 'root')
    throw new StartError(
      `The service cannot run as "${user}": --user takes the name of an unprivileged user.`,
    );
  const folders = [['data_dir', dataDir] as const, ...place.writes];
  const writes = [...new Set(folders.map(([, folder]) => folder))];
  const config = settingsFile === null ? [] : ['--config', settingsFile];
  const command = [node, path.join(projectDir, 'apps/cli/bin/plimsoll.mjs'), 'start', ...config];
  const paths = [...command, ...writes];
  const bad = paths.find((name) => /["'\\$\p{Cc}]|^\/(var\/)?tmp\//u.test(name));
  if (bad !== undefined) {
    const setting = folders.find(([, folder]) => folder === bad)?.[0] ?? 'of this program or --config';
    throw new StartError(
      `The unit cannot use ${JSON.stringify(bad)} (${setting}): no quotes, \\ or $, and not below /tmp.`,
    );
  }
  const isHome = paths.some((name) => /^\/(home|root|run\/user)\//.test(name));
  // A low port needs a capability in the machine's own user namespace.
  const capability = port > 0 && port < 1024 ? 'CAP_NET_BIND_SERVICE' : '';
  return `[Unit]
Description=Plimsoll, the patch state of Linux servers
Wants=network-online.target
After=network-online.target
StartLimitIntervalSec=0

[Service]
User=${user}
WorkingDirectory=${escaped(projectDir)}
Environment=${quoted(`PLIMSOLL_DATA_DIR=${dataDir}`)}
ExecStart=${command.map(quoted).join(' ')}
ReadWritePaths=${writes.map(quoted).join(' ')}
ProtectHome=${isHome ? 'read-only' : 'yes'}
CapabilityBoundingSet=${capability}
AmbientCapabilities=${capability}
PrivateUsers=${capability === '' ? 'yes' : 'no'}
RestrictAddressFamilies=AF_UNIX AF_INET AF_INET6 AF_NETLINK
${fixed.split(/\s+/).join('\n')}

[Install]
WantedBy=multi-user.target
`;
}

const escaped = (value: string): string => value.replaceAll('%', '%%');
const quoted = (value: string): string => (/[\s;%]/.test(value) ? `"${escaped(value)}"` : value);

/** Writes the unit. Throws StartError if the file differs, unless it may be replaced. */
export async function writeUnit(file: string, unit: string, mayReplace: boolean): Promise<void> {
  const found = await readFile(file, 'utf8').catch((error: NodeJS.ErrnoException) => {
    if (error.code !== 'ENOENT') throw error;
  });
  if (found !== undefined && found !== unit && !mayReplace)
    throw new StartError(
      `${file} exists and differs. Compare it with --print; --replace overwrites it, and keeps "systemctl edit".`,
    );
  await writeFile(file, unit, { mode: 0o644 });
}
