import { encodeSnapshot } from '@plimsoll/reports';
import { debianMachine, installed } from '../../../tests/pipeline/debian-machine.ts';
import { platformOf } from './sample-machines.ts';

/** Sets `window.hostile` if a page interprets it as markup. */
const markup = '<img src=x onerror="window.hostile=1"><script>window.hostile=1</script>';
/** The same without white space, for names. */
const markupName = '<img/src=x/onerror=window.hostile=1><script>window.hostile=1</script>';
const turned = '\u202Egnp.exe\u202C\u2066\u200F';

/** The source package of `hostileFeed`'s advisory. */
const hostileSource = 'hostile-source';

/** A name of the maximum length. */
export const longName = 'n'.repeat(256);
const longVersion = `1.0+${'9'.repeat(500)}`;
const longText = 'word '.repeat(800);

/** A machine whose texts try to break a page: markup, bidirectional control characters, and very long text. */
export function hostileMachine(machineId: string): Uint8Array {
  const base = debianMachine();
  const [upgrade] = base.upgrades;
  if (upgrade === undefined) throw new Error('the machine of the pipeline has no update');
  return encodeSnapshot({
    ...base,
    platform: { ...platformOf('hostile', machineId), osPrettyName: markup },
    packages: [
      ...base.packages,
      installed(`${markupName}${turned}`, '1.0', { name: hostileSource, version: '1.0' }),
      installed(longName, longVersion, { name: hostileSource, version: '1.0' }),
      { ...installed('foreign', `1.0${turned}`), vendor: `${markup}${longText}` },
    ],
    upgrades: [
      { ...upgrade, name: longName, installedVersion: longVersion, candidateVersion: `${longVersion}1` },
      { ...upgrade, name: `${markupName}${turned}`, repository: `${markup}${longText}` },
    ],
    services: {
      restartRequired: 'yes',
      toRestart: [{ name: `${markup}${turned}`, reason: longText }],
    },
  });
}

/** An advisory about hostileSource whose title and address try to break a page. */
export function hostileFeed(): Uint8Array {
  const record = {
    schema_version: '1.7.0',
    id: 'CVE-2026-91001',
    modified: new Date().toISOString(),
    published: '2026-11-02T08:00:00Z',
    summary: `${markup}${turned}${longText}`,
    references: [{ type: 'ADVISORY', url: 'javascript:window.hostile=1' }],
    affected: [
      {
        package: { ecosystem: 'Debian:12', name: hostileSource },
        ranges: [{ type: 'ECOSYSTEM', events: [{ introduced: '0' }, { fixed: '2.0' }] }],
      },
    ],
  };
  return Buffer.from(`${JSON.stringify(record)}\n`);
}
