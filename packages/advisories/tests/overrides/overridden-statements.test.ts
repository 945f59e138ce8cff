import type { Statement, StatementOverride } from '@plimsoll/model';
import { explainVersion, matchVersion } from '../../src/index.ts';
import { keyOf, storedStatement, versionToMatch } from '../stored-statements.ts';

const unknown = { fromKey: null, beforeKey: null, reason: 'Known.', source: 'https://example.org/' };
const statement = (override: Partial<StatementOverride> | null): Statement =>
  storedStatement('dpkg', 'DEBIAN-CVE-2024-3094', '5.6.1+really5.4.5-1', {
    cves: ['CVE-2024-3094'],
    ...(override === null ? {} : { override: { ...unknown, ...override } }),
  });

const judge = (version: string, override: Partial<StatementOverride> | null) => {
  const subject = versionToMatch('dpkg', version);
  const said = [statement(override)];
  const [explained] = explainVersion(subject, said, () => false);
  const isMatched = matchVersion(subject, said, () => false).length > 0;
  expect(isMatched).toBe(explained?.judgement === 'affected');
  return explained?.judgement;
};

const from = { fromKey: keyOf('dpkg', '5.5.1alpha-0.1') };

describe('a statement with an override', () => {
  it.each([
    ['5.4.5-0.1', null, 'affected'],
    ['5.4.5-0.1', from, 'overridden'],
    ['5.5.1alpha-0.1', from, 'affected'],
    ['5.6.1-1', from, 'affected'],
    ['5.6.1+really5.4.5-1', from, 'fixed'],
    ['5.8.1-1', from, 'fixed'],
    ['5.6.0-0.2', { beforeKey: keyOf('dpkg', '5.6.1-1') }, 'affected'],
    ['5.6.1-1', { beforeKey: keyOf('dpkg', '5.6.1-1') }, 'overridden'],
    ['5.6.0-0.2', {}, 'overridden'],
  ])('%s, %j: %s', (version, override, judgement) => {
    expect(judge(version, override)).toBe(judgement);
  });
});

describe('an erratum of an overridden CVE and another one', () => {
  const erratum: Statement = {
    ...statement(null),
    externalId: 'DSA-9999-1',
    kind: 'erratum',
    cves: ['CVE-2024-3094', 'CVE-2024-9999'],
  };
  const judgedWith = (record: Statement, judged: readonly string[]) => {
    const subject = versionToMatch('dpkg', '5.4.5-0.1', {}, 'ubuntu:22.04');
    return explainVersion(subject, [record, erratum], (cve) => judged.includes(cve)).map(
      ({ judgement }) => judgement,
    );
  };

  it('is not folded into the overridden record', () => {
    expect(judgedWith(statement(null), ['CVE-2024-3094'])).toEqual(['affected', 'folded']);
    expect(judgedWith(statement(from), ['CVE-2024-3094'])).toEqual(['overridden', 'affected']);
  });

  it('is folded into the record of the other CVE', () => {
    expect(judgedWith(statement(from), ['CVE-2024-3094', 'CVE-2024-9999'])).toEqual(['overridden', 'folded']);
  });
});
