import { create, toBinary } from '@bufbuild/protobuf';
import { SnapshotSchema } from '@plimsoll/proto';
import { osFamilyOf } from '../src/index.ts';
import { accept, bash, decode, errors, identities, warnings, zlib } from './decoding.ts';
import { debianPlatform, delimited, message, number, packageField } from './wire-bytes.ts';

describe('the schema version', () => {
  it('reads as 1 where it is 0 or missing', () => {
    expect(accept(debianPlatform, bash).schemaVersion).toBe(1);
    expect(accept(number(1, 0), debianPlatform, bash).schemaVersion).toBe(1);
  });

  it('may be higher than ours, with fields we do not know at every depth', () => {
    const newer = accept(
      number(1, 3),
      message(4, delimited(1, 'apt'), delimited(2, 'debian'), delimited(90, 'new')),
      packageField('bash', '1', number(77, 5)),
      delimited(16, 'new'),
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

  it('is refused where nothing tells the family', () => {
    expect(errors(platform('', 'homegrown'), bash)).toEqual(['/platform/os_family']);
    expect(errors(platform('pacman', 'arch'), bash)).toEqual(['/platform/os_family']);
  });

  it('is refused with an os id that os-release(5) could not hold', () => {
    expect(errors(platform('rpm', '"rhel"'), bash)).toEqual(['/platform/os_id']);
  });

  it('says its version id as its version where it says no fuller one', () => {
    expect(accept(debianPlatform, bash).platform.osVersion).toBe('12');
    expect(
      accept(platform('apt', 'debian', delimited(3, '12'), delimited(4, '12.8')), bash).platform.osVersion,
    ).toBe('12.8');
  });

  it('keeps its addresses in their order, each once', () => {
    const addresses = ['10.1.0.2', '', '10.0.0.1', '10.1.0.2'].map((address) => delimited(11, address));
    expect(accept(platform('apt', 'debian', ...addresses), bash).platform.ipAddresses).toEqual([
      '10.1.0.2',
      '10.0.0.1',
    ]);
  });

  it('knows the family of an os by its id in any case', () => {
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

  it('are the same in whatever order they came', () => {
    const sorted = ['bash:amd64=5.2.15-2+b8', 'zlib1g:amd64=1:1.2.13.dfsg-1'];
    expect(identities(accept(debianPlatform, zlib, bash).packages)).toEqual(sorted);
    expect(identities(accept(bash, zlib, debianPlatform).packages)).toEqual(sorted);
  });

  it('are counted once if they repeat, and package_count means the entries sent', () => {
    expect(identities(accept(number(13, 3), debianPlatform, bash, zlib, bash).packages)).toHaveLength(2);
    expect(warnings(debianPlatform, bash, zlib, bash)).toEqual(['/packages']);
    expect(decode(number(13, 2), debianPlatform, bash, zlib, bash).kind).toBe('invalid_protobuf');
  });

  it('stay in several versions side by side, as kernels are installed', () => {
    const kernels = ['5.14.0-503.11.1.el9_5', '5.14.0-427.el9'].map((version) =>
      packageField('kernel-core', version),
    );
    expect(identities(accept(alma, ...kernels).packages)).toHaveLength(2);
  });

  it('that are rpm keys are no packages', () => {
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

  it('read rpm\'s "(none)" as nothing', () => {
    const none = [4, 5, 6, 7, 10].map((field) => delimited(field, '(none)'));
    expect(accept(alma, packageField('bash', '5', ...none)).packages[0]).toMatchObject({
      sourceName: 'bash',
      sourceVersion: '5',
      vendor: '',
      module: '',
      signingKey: '',
    });
  });

  it('may have a version that no package manager would parse: the verdict on it is unknown, not ours to refuse', () => {
    expect(accept(debianPlatform, packageField('odd', 'not a version!')).packages[0]?.version).toBe(
      'not a version!',
    );
  });

  it('lose a time that no calendar has, with a warning', () => {
    const entry = packageField('bash', '5', message(9, number(1, -62_135_596_801n)));
    expect(accept(debianPlatform, entry).packages[0]?.installedAt).toBeNull();
    expect(warnings(debianPlatform, entry)).toEqual(['/packages/0/installed_at']);
  });
});

describe('free text', () => {
  it('has control characters turned into spaces and its ends trimmed', () => {
    const entry = packageField('bash', '5', delimited(6, '\tDebian\0\u009bProject\n'));
    expect(accept(debianPlatform, entry).packages[0]?.vendor).toBe('Debian  Project');
  });

  it('is cut to 4,096 characters with a warning, never through a character', () => {
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

  it('offered by several repositories are one, and a security update if any calls it so', () => {
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

describe('what was not sent', () => {
  it('is unknown, never no', () => {
    expect(accept(debianPlatform, bash)).toMatchObject({
      collectedAt: null,
      kernel: { rebootRequired: 'unknown', installed: [] },
      services: { restartRequired: 'unknown' },
      subscription: null,
      observed: { bootId: '', bootedAt: null, refreshed: [] },
    });
  });

  it('loses no failed section, not even a nameless one', () => {
    const failures = [message(12, delimited(2, 'out of memory')), message(12, delimited(1, 'upgradable'))];
    expect(accept(debianPlatform, bash, ...failures).failures).toEqual([
      { section: '', detail: 'out of memory' },
      { section: 'upgradable', detail: '' },
    ]);
  });

  it('leaves out entries that name nothing, with a warning', () => {
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
  it('in the order of the field numbers is read whole, and refused when packages are missing from it', () => {
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
