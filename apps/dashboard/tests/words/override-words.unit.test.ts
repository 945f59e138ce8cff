import { overrideWords } from '../../src/words/override-words.ts';

const override = {
  release: 'debian:13',
  package: 'xz-utils',
  cve: 'CVE-2024-3094',
  affected_from: '5.5.1alpha-0.1' as string | null,
  affected_before: '5.6.1+really5.4.5-1' as string | null,
  reason: 'Older versions are clean.',
  source: 'https://example.org/',
  origin: 'project' as const,
  statements: 1,
};

it('says what is affected in truth, and why', () => {
  expect(overrideWords(override)).toBe(
    'CVE-2024-3094, xz-utils in debian:13: only versions from 5.5.1alpha-0.1 below 5.6.1+really5.4.5-1 are ' +
      'affected. Older versions are clean.',
  );
});

it('says that no version is affected, whose list it is, and that the feed has no such error now', () => {
  const own = {
    ...override,
    affected_from: null,
    affected_before: null,
    origin: 'operator' as const,
    statements: 0,
  };
  expect(overrideWords(own)).toBe(
    'CVE-2024-3094, xz-utils in debian:13: no version is affected. Older versions are clean. From your own list. ' +
      'The feed has no such statement at present.',
  );
});
