import { readFile, stat } from 'node:fs/promises';
import { knownFeedErrors, readOverrides } from '@plimsoll/advisories';
import { ConfigError, type ConfigMistake } from '@plimsoll/config';
import type { OverrideList } from '@plimsoll/db';

const setting = 'advisories.overrides_file';
const longestFileBytes = 1024 * 1024;
const shownMistakes = 20;

/**
 * The list of known feed errors in use: the operator's file, otherwise the project's list. Throws ConfigError
 * with the mistakes of an invalid file: the service does not fall back to another list.
 */
export async function readOverrideList(file: string | null): Promise<OverrideList> {
  if (file === null) return { origin: 'project', overrides: knownFeedErrors };
  const reading = readOverrides(parse(await textOf(file), file));
  if (reading.kind === 'read') return { origin: 'operator', overrides: reading.overrides };
  throw new ConfigError(
    reading.mistakes
      .slice(0, shownMistakes)
      .map(({ pointer, detail }) =>
        mistake(file, `names a file with a mistake: ${pointer || 'the list'} ${detail}`),
      ),
  );
}

async function textOf(file: string): Promise<string> {
  try {
    if ((await stat(file)).size <= longestFileBytes) return await readFile(file, 'utf8');
  } catch {
    throw new ConfigError([mistake(file, 'must name a file that can be read')]);
  }
  throw new ConfigError([mistake(file, `must name a file of at most ${longestFileBytes} bytes`)]);
}

function parse(text: string, file: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    throw new ConfigError([mistake(file, 'must name a file in valid JSON')]);
  }
}

function mistake(source: string, message: string): ConfigMistake {
  return { key: setting, source, message };
}
