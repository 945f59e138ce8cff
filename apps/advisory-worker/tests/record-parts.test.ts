import { databasePerTest } from '@plimsoll/testing';
import { contextOf, importFile } from './worker-under-test.ts';

const database = databasePerTest();

const package_ = (name: string, release: string, version = '1.0') =>
  `<package name="${name}" epoch="0" version="${version}" release="${release}" arch="x86_64"/>`;

const updates = (...packages: string[]) =>
  `<updates><update status="final" type="security"><id>ALSA-2024:0265</id><title>Important: java</title>
   <severity>Important</severity><issued date="2024-01-17 00:00:00"/><updated date="2024-01-18 00:00:00"/>
   <references><reference id="CVE-2024-20918" type="cve" href="https://x/CVE-2024-20918"/></references>
   <pkglist><collection>${packages.join('')}</collection></pkglist></update></updates>`;

const stated = async () =>
  (
    await database.db.prisma.advisoryPackage.findMany({
      select: { name: true, release: { select: { name: true } } },
      orderBy: [{ release: { name: 'asc' } }, { name: 'asc' }],
    })
  ).map(({ name, release }) => `${release.name} ${name}`);

const el8 = updates(package_('java', '1.el8'));
const el9 = updates(package_('java', '1.el9'));

describe('an advisory with parts in several files', () => {
  it('keeps the parts of other releases and other repositories', async () => {
    const context = contextOf(database, null);
    expect(await importFile(context, el8, { release: 'almalinux:8' })).toMatchObject({ recordsChanged: 1 });
    expect(await importFile(context, el9, { release: 'almalinux:9', complete: true })).toMatchObject({
      recordsChanged: 1,
    });
    expect(await stated()).toEqual(['almalinux:8 java', 'almalinux:9 java']);
    const other = updates(package_('java-devel', '1.el9'));
    await importFile(context, other, { release: 'almalinux:9' });
    expect(await stated()).toEqual(['almalinux:8 java', 'almalinux:9 java', 'almalinux:9 java-devel']);
    expect(await importFile(context, el8, { release: 'almalinux:8' })).toMatchObject({ recordsChanged: 0 });
  });

  it('loses what the whole file of a release no longer lists, and only there', async () => {
    const context = contextOf(database, null);
    await importFile(context, el8, { release: 'almalinux:8' });
    await importFile(context, updates(package_('java', '1.el9'), package_('java-devel', '1.el9')), {
      release: 'almalinux:9',
    });
    await importFile(context, el9, { release: 'almalinux:9', complete: true });
    expect(await stated()).toEqual(['almalinux:8 java', 'almalinux:9 java']);
  });
});

describe('a record of which a part cannot be read', () => {
  const fixes = async () =>
    (
      await database.db.prisma.advisoryPackage.findMany({
        select: { name: true, fixedVersion: true, unfixedReason: true },
        orderBy: { name: 'asc' },
      })
    ).map(({ name, fixedVersion, unfixedReason }) => `${name} ${fixedVersion ?? unfixedReason}`);

  it.each([
    ['a version', package_('java-devel', '2.el9', '1 0')],
    ['a name', package_('java devel', '2.el9')],
  ])(
    'keeps what is stored about the package if it is %s, and replaces the rest',
    async (_part, unreadable) => {
      const context = contextOf(database, null);
      const whole = updates(package_('java', '1.el9'), package_('java-devel', '1.el9'));
      const options = { release: 'almalinux:9', complete: true };
      await importFile(context, whole, options);
      await importFile(context, updates(package_('java', '2.el9'), unreadable), options);
      expect(await fixes()).toEqual(['java 1.0-2.el9', 'java-devel 1.0-1.el9']);
      await importFile(context, updates(package_('java', '2.el9')), options);
      expect(await fixes()).toEqual(['java 1.0-2.el9']);
    },
  );

  it('calls every version affected if nothing is stored, until the version can be read', async () => {
    const context = contextOf(database, null);
    const options = { release: 'almalinux:9', complete: true };
    const unreadable = updates(package_('java', '1.el9'), package_('java-devel', '1.el9', '1 0'));
    await importFile(context, unreadable, options);
    expect(await fixes()).toEqual(['java 1.0-1.el9', 'java-devel no_fix']);
    expect(await importFile(context, unreadable, options)).toMatchObject({ recordsChanged: 0 });
    await importFile(context, updates(package_('java', '1.el9'), package_('java-devel', '1.el9')), options);
    expect(await fixes()).toEqual(['java 1.0-1.el9', 'java-devel 1.0-1.el9']);
  });

  /** As `fixes`, with the builds. */
  const fixesOfBuilds = async () =>
    (
      await database.db.prisma.advisoryPackage.findMany({
        select: { name: true, builds: true, fixedVersion: true, unfixedReason: true },
        orderBy: [{ name: 'asc' }, { builds: 'asc' }],
      })
    ).map(
      ({ name, builds, fixedVersion, unfixedReason }) => `${name} ${builds} ${fixedVersion ?? unfixedReason}`,
    );

  const inStream = (stream: string, ...packages: string[]) =>
    `</collection><collection><module name="nodejs" stream="${stream}" version="1" context="a" arch="x86_64"/>${packages.join('')}`;

  it('calls every version of a module stream affected if only another stream is stored', async () => {
    const context = contextOf(database, null);
    const options = { release: 'almalinux:9', complete: true };
    await importFile(context, updates(inStream('18', package_('nodejs', '1.el9'))), options);
    const unreadable = updates(
      inStream('18', package_('nodejs', '2.el9')),
      inStream('20', package_('nodejs', '1.el9', '1 0')),
    );
    await importFile(context, unreadable, options);
    const expected = ['nodejs x86_64|nodejs:18|* 1.0-2.el9', 'nodejs x86_64|nodejs:20|* no_fix'];
    expect(await fixesOfBuilds()).toEqual(expected);
    expect(await importFile(context, unreadable, options)).toMatchObject({ recordsChanged: 0 });
    expect(await fixesOfBuilds()).toEqual(expected);
  });

  it('calls every version affected on architectures about which nothing is stored', async () => {
    const context = contextOf(database, null);
    const options = { release: 'almalinux:9', complete: true };
    const onArm = (text: string) => text.replace('x86_64', 'aarch64');
    await importFile(context, updates(package_('java', '1.el9')), options);
    const unread = package_('java', '1.el9', '1 0');
    await importFile(context, updates(package_('java-devel', '1.el9'), unread, onArm(unread)), options);
    expect(await fixesOfBuilds()).toEqual([
      'java aarch64,x86_64||* no_fix',
      'java x86_64||* 1.0-1.el9',
      'java-devel x86_64||* 1.0-1.el9',
    ]);
  });

  it('keeps what is stored about a source if the record names only a binary package of that name', async () => {
    const context = contextOf(database, null);
    const options = { release: 'almalinux:9', complete: true };
    await importFile(context, updates(package_('java', '1.el9')), options);
    await database.db.prisma.advisoryPackage.updateMany({
      data: { names: 'source', builds: 'x86_64||*|source' },
    });
    await importFile(context, updates(package_('java', '2.el9'), package_('java devel', '2.el9')), options);
    expect(await fixesOfBuilds()).toEqual(['java x86_64||* 1.0-2.el9', 'java x86_64||*|source 1.0-1.el9']);
  });
});
