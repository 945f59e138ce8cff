import fc from 'fast-check';
import { decodeSnapshot, encodeSnapshot, KnownPackages } from '../src/index.ts';
import { bash, receivedAt, zlib } from './decoding.ts';
import { snapshotArbitrary } from './snapshot-arbitrary.ts';
import { concat, debianPlatform, delimited, message, number, packageField } from './wire-bytes.ts';

const rpmPlatform = message(4, delimited(1, 'rpm'), delimited(2, 'rocky'), delimited(3, '9'));
const packagesOf = (bytes: Uint8Array, known?: KnownPackages) => {
  const decoded = decodeSnapshot(bytes, known === undefined ? { receivedAt } : { receivedAt, known });
  if (decoded.kind !== 'snapshot') throw new Error(JSON.stringify(decoded));
  return decoded.snapshot.packages;
};

it('decodes every snapshot as without known entries, whatever was decoded before', () => {
  const known = new KnownPackages();
  fc.assert(
    fc.property(snapshotArbitrary, (snapshot) => {
      const bytes = encodeSnapshot(snapshot);
      const plain = decodeSnapshot(bytes, { receivedAt });
      expect(decodeSnapshot(bytes, { receivedAt, known })).toEqual(plain);
      expect(decodeSnapshot(bytes, { receivedAt, known })).toEqual(plain);
    }),
  );
});

it('answers damaged bytes as without known entries', () => {
  const known = new KnownPackages();
  fc.assert(
    fc.property(snapshotArbitrary, fc.nat(), fc.nat(255), (snapshot, place, value) => {
      const bytes = encodeSnapshot(snapshot);
      decodeSnapshot(bytes, { receivedAt, known });
      bytes[place % bytes.length] = value;
      expect(decodeSnapshot(bytes, { receivedAt, known })).toEqual(decodeSnapshot(bytes, { receivedAt }));
    }),
  );
});

it('gives hosts with the same package the same object', () => {
  const known = new KnownPackages();
  const first = packagesOf(concat(debianPlatform, bash, zlib), known);
  const second = packagesOf(concat(debianPlatform, zlib, bash), known);
  expect(second.map((entry, index) => entry === first[index])).toEqual([true, true]);
});

it('reads a known entry anew for another family', () => {
  const known = new KnownPackages();
  const entry = packageField('bash', '5.1-1', delimited(6, '(none)'));
  expect(packagesOf(concat(debianPlatform, entry), known)[0]?.vendor).toBe('(none)');
  expect(packagesOf(concat(rpmPlatform, entry), known)[0]?.vendor).toBe('');
  expect(packagesOf(concat(debianPlatform, entry), known)[0]?.vendor).toBe('(none)');
});

it('keeps the installation times of hosts apart', () => {
  const known = new KnownPackages();
  const at = (seconds: number) => packageField('bash', '5.1-1', message(9, number(1, seconds)));
  const time = (seconds: number) =>
    packagesOf(concat(rpmPlatform, at(seconds)), known)[0]?.installedAt?.getTime();
  expect([time(1_000), time(2_000), time(1_000)]).toEqual([1_000_000, 2_000_000, 1_000_000]);
});

it('reports a fault of an entry for every snapshot that has it, with its position there', () => {
  const known = new KnownPackages();
  const faulty = packageField('a name', '1');
  const pointers = (...parts: Uint8Array[]) => {
    const decoded = decodeSnapshot(concat(debianPlatform, ...parts), { receivedAt, known });
    return decoded.kind === 'snapshot_invalid'
      ? decoded.errors.map(({ pointer }) => pointer)
      : [decoded.kind];
  };
  expect(pointers(faulty)).toEqual(['/packages/0/name']);
  expect(pointers(bash, faulty)).toEqual(['/packages/1/name']);
});

it('keeps fewer long entries than short ones, so that hosts cannot fill the memory', () => {
  const isKept = (vendor: (n: number) => string) => {
    const known = new KnownPackages();
    const field = (n: number) => packageField(`p${n}`, '1', delimited(6, vendor(n)));
    const read = (from: number, to: number) =>
      packagesOf(
        concat(debianPlatform, ...Array.from({ length: to - from }, (_, n) => field(from + n))),
        known,
      );
    const [first] = read(0, 1);
    read(1, 20_000);
    return read(0, 1)[0] === first;
  };
  expect(isKept(() => 'Debian')).toBe(true);
  expect(isKept((n) => String(n).padStart(480, 'x'))).toBe(false);
});

it('reads empty entries', () => {
  const known = new KnownPackages();
  const bytes = concat(debianPlatform, bash, message(5), message(7));
  expect(decodeSnapshot(bytes, { receivedAt, known })).toEqual(decodeSnapshot(bytes, { receivedAt }));
});
