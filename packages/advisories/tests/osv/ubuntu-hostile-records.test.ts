import fc from 'fast-check';
import { advisoryRead } from '../read-advisory.ts';
import { cveRecord, readUbuntu } from '../ubuntu-records.ts';

const cve = 'CVE-2024-6387';

describe('reading Ubuntu’s OSV', () => {
  it('does not depend on the order in which a record lists its entries', () => {
    const entry = fc.record({
      ecosystem: fc.constantFrom(
        'Ubuntu:22.04:LTS',
        'Ubuntu:Pro:22.04:LTS',
        'Ubuntu:Pro:FIPS:22.04:LTS',
        'Ubuntu:Pro:FIPS-updates:22.04:LTS',
      ),
      name: fc.constantFrom('openssl', 'curl'),
      fixed: fc.constantFrom(null, '1', '1+esm1', '2~esm1', '2'),
    });
    fc.assert(
      fc.property(
        fc.uniqueArray(entry, { maxLength: 6, selector: ({ ecosystem, name }) => ecosystem + name }),
        (entries) => {
          const read = (listed: typeof entries) => {
            const parsed = readUbuntu(cveRecord(cve, listed));
            return parsed.kind === 'read' ? advisoryRead(parsed).packages : parsed;
          };
          const [forwards, backwards] = [read(entries), read([...entries].reverse())];
          expect(withoutTies(backwards)).toEqual(withoutTies(forwards));
        },
      ),
    );
  });
});

/** Of equal fixes by two services, either may be named. */
function withoutTies(packages: unknown): unknown {
  return JSON.parse(JSON.stringify(packages).replace(/"fips(?:-updates)?"/g, '"fips"'));
}
