import { readFile } from 'node:fs/promises';
import path from 'node:path';

/** What this server gives to hosts to run, as apps/agent builds it. */
export interface HostScripts {
  readonly collectors: Readonly<Record<'apt' | 'rpm', Uint8Array>>;
  readonly agent: Uint8Array;
  readonly agentVersion: string;
}

/** Reads the scripts in apps/agent's output folder. Rejects, saying what to do, where one of them is missing. */
export async function readHostScripts(folder: string): Promise<HostScripts> {
  const [apt, rpm, agent] = await Promise.all([
    readScript(folder, 'collector-apt.sh'),
    readScript(folder, 'collector-rpm.sh'),
    readScript(folder, 'plimsoll-agent'),
  ]);
  const agentVersion = /^# plimsoll-agent, version (\S{1,64})$/m.exec(agent.toString('utf8'))?.[1];
  if (agentVersion === undefined) throw new Error(`${folder}/plimsoll-agent does not say its version.`);
  return { collectors: { apt, rpm }, agent, agentVersion };
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
