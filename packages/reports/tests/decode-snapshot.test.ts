import { create, toBinary } from '@bufbuild/protobuf';
import { SnapshotSchema } from '@plimsoll/proto';
import { osFamilyOf } from '../src/index.ts';
import { accept, bash, decode, errors, identities, warnings, zlib } from './decoding.ts';
import { debianPlatform, delimited, message, number, packageField } from './wire-bytes.ts';

describe('the schema version', () => {
  it('is 1 if the field is 0 or missing', () => {
    expect(accept(debianPlatform, bash).schemaVersion).toBe(1);
    expect(accept(number(1, 0), debianPlatform, bash).schemaVersion).toBe(1);
  });

  it('may be higher than the decoder’s, with unknown fields at every depth', () => {
    const newer = accept(
      number(1, 3),
      message(4, delimited(1, 'apt'), delimited(2, 'debian'), delimited(90, 'new')),
      packageField('bash', '1', number(77, 5)),
      delimited(99, 'new'),
      message(8, number(1, 9)),
    );
    expect(newer).toMatchObject({ schemaVersion: 3, services: { restartRequired: 'unknown' } });
    expect(identities(newer.packages)).toEqual(['bash:amd64=1']);
  });
});

describe('the platform', () => {
  function platform(family: string, id: string, ...more: readonly Uint8Array[]): Uint8Array {
    return message(4, delimited(1, family), delimited(2, id), ...more);
  }

  it.each([
    ['APT', 'Debian', 'apt', 'debian'],
    [' rpm\n', ' AlmaLinux ', 'rpm', 'almalinux'],
    ['', 'rocky', 'rpm', 'rocky'],
    ['dnf', 'fedora', 'rpm', 'fedora'],
    ['', 'ubuntu', 'apt', 'ubuntu'],
    ['rpm', 'homegrown', 'rpm', 'homegrown'],
  ])('reads os_family %j of os_id %j as %s of %s', (family, id, osFamily, osId) => {
    expect(accept(platform(family, id), bash).platform).toMatchObject({ osFamily, osId });
  });

  it('is refused if the family is unknown', () => {
    expect(errors(platform('', 'homegrown'), bash)).toEqual(['/platform/os_family']);
    expect(errors(platform('pacman', 'arch'), bash)).toEqual(['/platform/os_family']);
  });

  it('is refused with an os id that os-release(5) does not allow', () => {
    expect(errors(platform('rpm', '"rhel"'), bash)).toEqual(['/platform/os_id']);
  });

  it('uses the version id as version if no version is given', () => {
    expect(accept(debianPlatform, bash).platform.osVersion).toBe('12');
    expect(
      accept(platform('apt', 'debian', delimited(3, '12'), delimited(4, '12.8')), bash).platform.osVersion,
    ).toBe('12.8');
  });

  it('keeps its addresses in their order, without duplicates', () => {
    const addresses = ['10.1.0.2', '', '10.0.0.1', '10.1.0.2'].map((address) => delimited(11, address));
    expect(accept(platform('apt', 'debian', ...addresses), bash).platform.ipAddresses).toEqual([
      '10.1.0.2',
      '10.0.0.1',
    ]);
  });

  it('derives the family from the os id in upper or lower case', () => {
    expect(['Debian', 'sles', 'ol', 'arch', '', '__proto__'].map(osFamilyOf)).toEqual([
      'apt',
      'rpm',
      'rpm',
      'unknown',
      'unknown',
      'unknown',
    ]);
  });
});

describe('packages', () => {
  const alma = message(4, delimited(1, 'rpm'), delimited(2, 'almalinux'));

  it('do not depend on the order of the entries', () => {
    const sorted = ['bash:amd64=5.2.15-2+b8', 'zlib1g:amd64=1:1.2.13.dfsg-1'];
    expect(identities(accept(debianPlatform, zlib, bash).packages)).toEqual(sorted);
    expect(identities(accept(bash, zlib, debianPlatform).packages)).toEqual(sorted);
  });

  it('are counted once if they repeat, while package_count counts the entries sent', () => {
    expect(identities(accept(number(13, 3), debianPlatform, bash, zlib, bash).packages)).toHaveLength(2);
    expect(warnings(debianPlatform, bash, zlib, bash)).toEqual(['/packages']);
    expect(decode(number(13, 2), debianPlatform, bash, zlib, bash).kind).toBe('invalid_protobuf');
  });

  it('keep several installed versions, as for kernels', () => {
    const kernels = ['5.14.0-503.11.1.el9_5', '5.14.0-427.el9'].map((version) =>
      packageField('kernel-core', version),
    );
    expect(identities(accept(alma, ...kernels).packages)).toHaveLength(2);
  });

  it('do not include rpm keys', () => {
    const key = packageField('gpg-pubkey', 'ced7258b-6525146f');
    expect(identities(accept(number(13, 2), alma, key, bash).packages)).toEqual(['bash:amd64=5.2.15-2+b8']);
    expect(errors(alma, key)).toEqual(['/packages']);
    expect(identities(accept(debianPlatform, key).packages)).toHaveLength(1);
  });

  it('without a source have their own name and version as source', () => {
    expect(accept(debianPlatform, bash).packages[0]).toMatchObject({
      sourceName: 'bash',
      sourceVersion: '5.2.15-2+b8',
    });
  });

  it('treat rpm\'s "(none)" as empty', () => {
    const none = [4, 5, 6, 7, 10].map((field) => delimited(field, '(none)'));
    expect(accept(alma, packageField('bash', '5', ...none)).packages[0]).toMatchObject({
      sourceName: 'bash',
      sourceVersion: '5',
      vendor: '',
      module: '',
      signingKey: '',
    });
  });

  it('may have an unparseable version: its verdict is unknown, but the snapshot is accepted', () => {
    expect(accept(debianPlatform, packageField('odd', 'not a version!')).packages[0]?.version).toBe(
      'not a version!',
    );
  });

  it('lose a time outside the calendar, with a warning', () => {
    const entry = packageField('bash', '5', message(9, number(1, -62_135_596_801n)));
    expect(accept(debianPlatform, entry).packages[0]?.installedAt).toBeNull();
    expect(warnings(debianPlatform, entry)).toEqual(['/packages/0/installed_at']);
  });
});

describe('failed sections', () => {
  const failed = (section: string) => message(12, delimited(1, section), delimited(2, 'timed out'));

  it('are kept', () => {
    expect(accept(debianPlatform, bash, failed('kernel')).failures).toEqual([
      { section: 'kernel', detail: 'timed out' },
    ]);
  });
});

describe('free text', () => {
  it('has control characters replaced by spaces, and is trimmed', () => {
    const entry = packageField('bash', '5', delimited(6, '\tDebian\0\u009bProject\n'));
    expect(accept(debianPlatform, entry).packages[0]?.vendor).toBe('Debian  Project');
  });

  it('is cut to 4,096 characters with a warning, never within a character', () => {
    const failure = message(12, delimited(1, 'kernel'), delimited(2, `${'x'.repeat(4095)}\u{1f600}tail`));
    expect(accept(debianPlatform, bash, failure).failures[0]?.detail).toBe('x'.repeat(4095));
    expect(warnings(debianPlatform, bash, failure)).toEqual(['/failures/0/detail']);
  });
});

describe('updates', () => {
  function update(candidate: string, repository: string, isSecurity: number): Uint8Array {
    return message(
      6,
      delimited(1, 'bash'),
      delimited(3, '5.1'),
      delimited(4, candidate),
      delimited(5, repository),
      number(6, isSecurity),
    );
  }

  it('offered by several repositories are one update, a security update if any repository flags it', () => {
    const { upgrades } = accept(
      debianPlatform,
      bash,
      update('5.2', 'a', 0),
      update('5.2', 'c', 1),
      update('5.2', 'b', 1),
    );
    expect(upgrades).toMatchObject([
      { repository: 'b', isSecurity: true, sourceName: 'bash', sourceVersion: '5.2' },
    ]);
  });

  it('are sorted by name, architecture and candidate', () => {
    const { upgrades } = accept(debianPlatform, bash, update('5.3', 'a', 0), update('5.2', 'b', 0));
    expect(upgrades.map(({ candidateVersion }) => candidateVersion)).toEqual(['5.2', '5.3']);
  });
});

describe('a missing field', () => {
  it('is unknown, never "no"', () => {
    expect(accept(debianPlatform, bash)).toMatchObject({
      collectedAt: null,
      kernel: { rebootRequired: 'unknown', installed: [] },
      services: { restartRequired: 'unknown' },
      subscription: null,
      observed: { bootId: '', bootedAt: null, refreshed: [] },
    });
  });

  it('keeps every failed section, even one without a name', () => {
    const failures = [message(12, delimited(2, 'out of memory')), message(12, delimited(1, 'upgradable'))];
    expect(accept(debianPlatform, bash, ...failures).failures).toEqual([
      { section: '', detail: 'out of memory' },
      { section: 'upgradable', detail: '' },
    ]);
  });

  it('skips entries without a name, with a warning', () => {
    const parts = [
      message(8, message(2, delimited(2, 'why'))),
      message(9, number(3, 1)),
      message(10, delimited(2, '1')),
    ];
    expect(warnings(debianPlatform, bash, ...parts)).toEqual([
      '/services/to_restart/0',
      '/repositories/0',
      '/module_streams/0',
    ]);
  });
});

describe("another implementation's encoding", () => {
  it('in the order of the field numbers is decoded completely, and refused if packages are missing', () => {
    const sent = create(SnapshotSchema, {
      schemaVersion: 1,
      collectedAt: { seconds: 1_790_000_000n, nanos: 5_999_999 },
      platform: { osFamily: 'rpm', osId: 'rocky', osVersionId: '9.5' },
      packages: [
        { name: 'openssl', architecture: 'x86_64', version: '1:3.2.2-6.el9_5', held: true },
        { name: 'bash', architecture: 'x86_64', version: '5.1.8-9.el9' },
      ],
      kernel: {
        runningRelease: '5.14.0-503.el9.x86_64',
        rebootRequired: 2,
        installed: [{ package: 'kernel-core', defaultBoot: 1 }],
      },
      packageCount: 2,
    });
    const { packages, collectedAt, kernel } = accept(toBinary(SnapshotSchema, sent));
    expect(identities(packages)).toEqual(['bash:x86_64=5.1.8-9.el9', 'openssl:x86_64=1:3.2.2-6.el9_5']);
    expect(collectedAt).toEqual(new Date(1_790_000_000_005));
    expect(kernel).toMatchObject({
      rebootRequired: 'yes',
      installed: [{ package: 'kernel-core', defaultBoot: 'no' }],
    });
    sent.packages.pop();
    expect(decode(toBinary(SnapshotSchema, sent)).kind).toBe('invalid_protobuf');
  });
});
