import { bash, decode, errors, receivedAt, zlib } from './decoding.ts';
import { debianPlatform, delimited, message, number, packageField } from './wire-bytes.ts';

describe('a snapshot is refused', () => {
  it('without any package', () => {
    expect(errors(debianPlatform)).toEqual(['/packages']);
  });

  it('without an os id', () => {
    expect(errors(bash)).toEqual(['/platform/os_id']);
    expect(errors(message(4, delimited(1, 'apt')), bash)).toEqual(['/platform/os_id']);
  });

  it('as a text report, with or without structured fields', () => {
    expect(errors(delimited(15, 'report'))).toEqual(['/report']);
    expect(errors(debianPlatform, bash, delimited(15, 'report'))).toEqual(['/report']);
  });

  it.each([
    ['exactly 24 hours ahead', 86_400, 'snapshot'],
    ['a second more', 86_401, 'snapshot_invalid'],
    ['50 years ago', -1_577_836_800, 'snapshot'],
  ])('or not, when collected %s', (_when, seconds, kind) => {
    const collectedAt = message(2, number(1, receivedAt.getTime() / 1000 + seconds));
    expect(decode(collectedAt, debianPlatform, bash).kind).toBe(kind);
  });

  it.each([
    ['after the year 9999', number(1, 253_402_300_800)],
    ['before the year 1', number(1, -62_135_596_801n)],
    ['with negative nanoseconds', number(2, -1n)],
    ['with a second of nanoseconds', number(2, 1_000_000_000)],
    ['at the end of 64 bits', number(1, 9_223_372_036_854_775_807n)],
  ])('when collected %s', (_when, time) => {
    expect(errors(message(2, time), debianPlatform, bash)).toEqual(['/collected_at']);
  });

  it.each([
    ['an empty name', packageField('', '1'), 'name'],
    ['U+0000 in a name', packageField('ba\0sh', '1'), 'name'],
    ['a newline in a name', packageField('bash\n', '1'), 'name'],
    ['a C1 control character in a name', packageField('ba\u0085sh', '1'), 'name'],
    ['a space in a name, which would match no advisory', packageField('bash ', '1'), 'name'],
    ['a name of 257 characters', packageField('a'.repeat(257), '1'), 'name'],
    ['an empty version', packageField('bash', ''), 'version'],
    ['U+0000 in a version', packageField('bash', '1\0'), 'version'],
    ['a version of 513 characters', packageField('bash', '1'.repeat(513)), 'version'],
    [
      'a control character in an architecture',
      packageField('bash', '1', delimited(2, 'amd\t64')),
      'architecture',
    ],
    ['a version in the source name', packageField('bash', '1', delimited(4, 'bash (1.0)')), 'source_name'],
    ['U+007F in a source version', packageField('bash', '1', delimited(5, '1\u007f')), 'source_version'],
    ['a control character in a module', packageField('bash', '1', delimited(7, 'perl:5.32\n')), 'module'],
  ])('for %s, with its position in the message', (_what, entry, field) => {
    expect(errors(debianPlatform, zlib, entry)).toEqual([`/packages/1/${field}`]);
  });

  it('for an update without a candidate', () => {
    const update = message(6, delimited(1, 'bash'), delimited(3, '5.1'));
    expect(errors(debianPlatform, bash, update)).toEqual(['/upgradable/0/candidate_version']);
  });

  it('for a schema version too large for an integer column', () => {
    expect(errors(number(1, 2_147_483_648), debianPlatform, bash)).toEqual(['/schema_version']);
  });

  it('with all errors, at most a hundred', () => {
    expect(errors(message(2, number(2, -1n)), packageField('', ''), bash)).toEqual([
      '/collected_at',
      '/platform/os_id',
      '/packages/0/name',
      '/packages/0/version',
    ]);
    expect(errors(debianPlatform, ...Array.from({ length: 150 }, () => packageField('', '1')))).toHaveLength(
      100,
    );
  });
});
