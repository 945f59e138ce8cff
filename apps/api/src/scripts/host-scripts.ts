import { createHash } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import path from 'node:path';
import type { PackageFamily } from '@plimsoll/model';

/** The scripts that this server gives to hosts, as built by apps/agent. */
export interface HostScripts {
  /** For manual reports, by family. */
  readonly collectors: Readonly<Record<PackageFamily, Uint8Array>>;
  /** For pulls over SSH. */
  readonly collector: PulledCollector;
  readonly agent: Uint8Array;
  readonly agentVersion: string;
  /** Of `agent`, as printed by sha256sum. */
  readonly agentSha256: string;
}

/** The collector for every family. */
export interface PulledCollector {
  readonly script: Uint8Array;
  /** Of the script, as printed by sha256sum; lines in authorized_keys pin it. */
  readonly sha256: string;
  /** The version that its reports name in their first line. */
  readonly version: string;
}

/** Reads the scripts from apps/agent's output folder. Rejects with instructions if one is missing. */
export async function readHostScripts(folder: string): Promise<HostScripts> {
  const collectors: HostScripts['collectors'] = {
    apt: await readScript(folder, 'collector-apt.sh'),
    rpm: await readScript(folder, 'collector-rpm.sh'),
  };
  const script = await readScript(folder, 'collector.sh');
  const agent = await readScript(folder, 'plimsoll-agent');
  return {
    collectors,
    collector: {
      script,
      sha256: sha256Of(script),
      version: versionIn(script, 'collector.sh'),
    },
    agent,
    agentVersion: versionIn(agent, 'plimsoll-agent'),
    agentSha256: sha256Of(agent),
  };
}

function sha256Of(script: Buffer): string {
  return createHash('sha256').update(script).digest('hex');
}

function versionIn(script: Buffer, name: string): string {
  const version = /^version='([^\s']{1,64})'$/m.exec(script.toString('utf8'))?.[1];
  if (version === undefined) throw new Error(`${name} does not say its version.`);
  return version;
}

async function readScript(folder: string, name: string): Promise<Buffer> {
  const file = path.join(folder, name);
  try {
    return await readFile(file);
  } catch (error) {
    throw new Error(`${file} cannot be read. Build it with: npm run build -w @plimsoll/agent`, {
      cause: error,
    });
  }
}
