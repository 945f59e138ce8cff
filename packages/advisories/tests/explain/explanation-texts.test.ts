import type { ExplanationReason, Gap, InstalledPackage, Statement } from '@plimsoll/model';
import { silenceGaps } from '@plimsoll/model';
import { assessHost } from '../../src/index.ts';
import { statement } from '../debian-host.ts';
import { assessedRpm, rpm } from '../rpm-host.ts';
import { rpmKey } from '../rpm-records.ts';
import { askable, explainStated } from './explained-host.ts';

const bash = rpm('bash-5.1.8-9.el9_4.x86_64', { vendor: 'Rocky' });

function about(fix: string | null, rest: Partial<Statement> = {}): Statement {
  return statement('CVE-2025-0001', null, {
    ...(fix === null ? {} : { fix: { kind: 'fixed', version: fix, service: null, key: rpmKey(fix) } }),
    ...rest,
  });
}

/** Explains CVE-2025-0001 about a package of a Rocky host. */
function explain(
  statements: readonly Statement[],
  {
    installed = bash,
    asked = statements,
    gaps = [] as readonly Gap[],
    running = '',
    others = [] as readonly InstalledPackage[],
  } = {},
) {
  const packages = [installed, ...others];
  const stated = { [installed.name]: statements };
  const subject = assessedRpm({ release: 'rocky:9', packages, statements: stated, running });
  const stored = askable({ packages, statements: stated, subject, keyOf: rpmKey }, assessHost(subject));
  return explainStated(stored, { packageName: installed.name, asked, gaps });
}

const builds = { architectures: ['aarch64'], module: 'perl:5.32', line: null };

describe('the sentence of an explanation', () => {
  it.each<[string, readonly Statement[], ExplanationReason, string]>([
    [
      'a fix that is missing',
      [about('5.1.8-10.el9_4')],
      'finding',
      'bash 5.1.8-9.el9_4 is lower than the fixed version 5.1.8-10.el9_4 of CVE-2025-0001 (compared as rpm does).',
    ],
    [
      'the fixed version itself',
      [about('5.1.8-9.el9_4')],
      'fixed',
      'bash 5.1.8-9.el9_4 is the fixed version 5.1.8-9.el9_4 of CVE-2025-0001 (compared as rpm does).',
    ],
    [
      'a newer version',
      [about('5.1.8-6.el9')],
      'fixed',
      'bash 5.1.8-9.el9_4 is higher than the fixed version 5.1.8-6.el9 of CVE-2025-0001 (compared as rpm does).',
    ],
    ['no fix', [about(null)], 'finding', 'CVE-2025-0001 names bash without a fixed version: no fix.'],
    [
      'a vendor that will not fix it',
      [about(null, { fix: { kind: 'unfixed', reason: 'will_not_fix', detail: 'Out of scope' } })],
      'finding',
      'CVE-2025-0001 names bash without a fixed version: will not fix (Out of scope).',
    ],
    [
      'a negligible one',
      [about(null, { severity: 'none' })],
      'hidden',
      'CVE-2025-0001 names bash without a fixed version: no fix. The vendor calls it negligible: it is in no count.',
    ],
    [
      'a withdrawn one',
      [about(null, { withdrawn: true })],
      'withdrawn',
      'The vendor has withdrawn CVE-2025-0001.',
    ],
    [
      'other builds',
      [about('9-1', { builds })],
      'other_build',
      'CVE-2025-0001 speaks of builds of architecture aarch64, module perl:5.32; this one is of x86_64, no module.',
    ],
  ])('%s', (_what, statements, reason, detail) => {
    expect(explain(statements)).toMatchObject({ reason, detail, gap: null });
  });

  it('an advisory without a word about the package: not listed, with the feed and its age', () => {
    expect(explain([], { asked: [about(null)] })).toMatchObject({
      verdict: 'not_a_finding',
      reason: 'not_listed',
      detail:
        'CVE-2025-0001: bash is not among the packages it names. a-feed, which covers rocky:9, has data of 2025-06-01.',
    });
  });

  it.each([...silenceGaps].filter((gap) => gap !== 'feed_outdated'))(
    '%s: unknown, with a sentence of its own',
    (gap) => {
      const { verdict, reason, gap: named, detail } = explain([], { asked: [about(null)], gaps: [gap] });
      expect({ verdict, reason, named }).toEqual({ verdict: 'unknown', reason: gap, named: gap });
      expect(detail).not.toContain('which covers');
      expect(detail).toMatch(/^CVE-2025-0001: bash is not among the packages it names\. \S.*\.$/);
    },
  );

  it('a known fix stays known with every gap: it rests on a statement', () => {
    expect(explain([about('5.1.8-6.el9')], { gaps: ['feed_outdated'] })).toMatchObject({
      reason: 'fixed',
      gap: null,
    });
  });

  it('an advisory that no feed has is unknown, never "not affected"', () => {
    expect(explain([], { asked: [] })).toMatchObject({
      verdict: 'unknown',
      reason: 'unknown_advisory',
      detail: expect.stringContaining('could know it, has data of 2025-06-01.'),
    });
  });

  it('a package of a third party: nothing can be said, and why', () => {
    const installed = { ...bash, vendor: 'Remi Collet' };
    expect(explain([about('9-1')], { installed })).toMatchObject({
      verdict: 'unknown',
      reason: 'no_verdict',
      gap: 'packages_unchecked',
      detail: 'Nothing can be said of bash 5.1.8-9.el9_4: not the distributions (Remi Collet).',
    });
  });
});

describe('the sentence about a kernel', () => {
  const older = rpm('kernel-core-5.14.0-427.13.1.el9_4.x86_64', { vendor: 'Rocky' });
  const newer = rpm('kernel-core-5.14.0-503.11.1.el9_5.x86_64', { vendor: 'Rocky' });
  const open = [about('5.14.0-503.15.1.el9_5')];

  it('the one that does not run has no findings, and the running one is named', () => {
    const { packages } = explain(open, {
      installed: older,
      others: [newer],
      running: `${newer.version}.x86_64`,
    });
    expect(packages.map(({ installedVersion, reason }) => [installedVersion, reason])).toEqual([
      [older.version, 'kernel_not_running'],
      [newer.version, 'finding'],
    ]);
    expect(packages[0]?.detail).toContain(`does not run, ${newer.version}.x86_64 does`);
  });

  it('a running one that is no longer installed is a finding beside the installed one', () => {
    const explanation = explain(open, { installed: newer, running: `${older.version}.x86_64` });
    expect(explanation.verdict).toBe('finding');
    expect(explanation.packages.map(({ installedVersion, reason }) => [installedVersion, reason])).toEqual([
      [newer.version, 'kernel_not_running'],
      [older.version, 'finding'],
    ]);
  });

  it('a host that does not say which one runs has no answer', () => {
    expect(explain(open, { installed: newer })).toMatchObject({
      verdict: 'unknown',
      detail: 'The host does not say which kernel runs.',
    });
  });
});
