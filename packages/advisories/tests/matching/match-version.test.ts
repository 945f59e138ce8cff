import type { PackageVersionId, Release } from '@plimsoll/model';
import { classifyPackage, explainVersion, matchVersion, verdictOf } from '../../src/index.ts';
import { rpm } from '../rpm-host.ts';
import { rpmErratum } from '../stored-statements.ts';

const release = 'rocky:8' as Release;
const bind = rpm('bind-libs-9.11.26-4.el8.x86_64', {
  sourceName: 'bind',
  sourceVersion: '9.11.26-4.el8',
  vendor: 'Rocky',
});

function versionOf(subject: typeof bind) {
  const classification = classifyPackage(subject, release);
  return {
    ...subject,
    id: 1 as PackageVersionId,
    release,
    matchName: classification.kind === 'comparable' ? classification.matchName : null,
    matchKey: classification.kind === 'comparable' ? classification.key : null,
    verdict: verdictOf(classification),
  };
}

const later = rpmErratum('RLSA-2', '9.11.26-6.el8');
const ofSource = rpmErratum('RHSA-1', '9.11.26-5.el8', { names: 'source' });
const older = rpmErratum('RLSA-0', '9.11.26-4.el8');
const withdrawn = rpmErratum('RLSA-3', '9.11.26-6.el8', { withdrawn: true });
const all = [later, ofSource, older, withdrawn];
const nothingJudged = () => false;

describe('matching a classified package version', () => {
  it('returns the affecting statements unchanged and in order', () => {
    const affecting = matchVersion(versionOf(bind), all, nothingJudged);
    expect(affecting).toEqual([later, ofSource]);
    expect(affecting[1]).toBe(ofSource);
  });

  it('agrees with its explanation, which has a judgement for every statement, by id', () => {
    const judged = explainVersion(versionOf(bind), all, nothingJudged);
    expect(judged.map(({ statement, judgement }) => [statement.externalId, judgement])).toEqual([
      ['RHSA-1', 'affected'],
      ['RLSA-0', 'fixed'],
      ['RLSA-2', 'affected'],
      ['RLSA-3', 'withdrawn'],
    ]);
  });

  it.each([
    ['without a sort key', { ...versionOf(bind), matchKey: null }],
    ['of another vendor', versionOf({ ...bind, vendor: 'Somebody Else' })],
    ['that is not a package', versionOf({ ...bind, name: 'gpg-pubkey' })],
  ])('has no match and no explanation for a version %s', (_, version) => {
    expect(matchVersion(version, all, nothingJudged)).toEqual([]);
    expect(explainVersion(version, all, nothingJudged)).toEqual([]);
  });
});
