import { readFile } from 'node:fs/promises';
import path from 'node:path';
import { gunzipSync } from 'node:zlib';
import { decodeSnapshot } from '@plimsoll/reports';
import { rpmStories, unknownStories } from './other-stories.ts';
import type { Story } from './story.ts';
import { ubuntuStories } from './ubuntu-stories.ts';

/** Every story, the first of them a host with nothing to do. Reads the real machines of the checkout. */
export async function everyStory(projectDir: string): Promise<readonly Story[]> {
  return [...ubuntuStories, ...rpmStories, ...(await realMachines(projectDir)), ...unknownStories];
}

/**
 * The machine of examples/, and the report of a real one as a manual upload. Their feed is no longer updated.
 */
async function realMachines(projectDir: string): Promise<readonly Story[]> {
  const example = await readFile(path.join(projectDir, 'examples/debian-12.snapshot.pb.gz'));
  const decoded = decodeSnapshot(gunzipSync(example), { receivedAt: new Date() });
  if (decoded.kind !== 'snapshot') throw new Error('the example cannot be read');
  const report = await readFile(path.join(projectDir, 'packages/reports/testdata/reports/almalinux-8.txt'));
  return [
    {
      title: 'a real Debian machine',
      action: 'update_security',
      gaps: [
        'feed_outdated',
        'package_lists_unknown',
        'packages_unchecked',
        'reboot_unknown',
        'repositories_unknown',
        'restart_unknown',
      ],
      door: { kind: 'agent', snapshot: (now) => ({ ...decoded.snapshot, collectedAt: now }) },
    },
    {
      title: 'manual, an old report',
      action: 'update_security',
      gaps: ['no_feed', 'repositories_unknown', 'report_outdated'],
      door: { kind: 'manual', report },
    },
  ];
}

/** The story of a host by its number, from 0: first each story once, then mostly the usual ones. */
export function storyOf(stories: readonly Story[], number: number): Story {
  const usual = stories.filter(({ isUsual }) => isUsual === true);
  const among = number < stories.length || number % 4 === 0 ? stories : usual;
  const found = among[(number < stories.length ? number : Math.floor(number / 4) + number) % among.length];
  if (found === undefined) throw new Error('the list of stories is empty');
  return found;
}
