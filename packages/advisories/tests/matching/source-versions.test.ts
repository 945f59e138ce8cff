import type { SourceNaming } from '@plimsoll/model';
import { compareKeys } from '@plimsoll/versions';
import { inTermsOf } from '../../src/index.ts';
import { keyOf, rpmErratum } from '../stored-statements.ts';

const fixedAt = (version: string, names?: SourceNaming) =>
  rpmErratum('ALSA-2024:1', version, names === undefined ? {} : { names });

const fixOf = (installed: string, source: string, fixed: string) => {
  const { fix } = inTermsOf(fixedAt(fixed, 'source'), { version: installed, sourceVersion: source });
  if (fix.kind === 'unfixed') throw new Error('a fix became none');
  return { version: fix.version, isAffected: compareKeys(keyOf('rpm', installed), fix.key) < 0 };
};

describe('a fix given as source rpm version', () => {
  it.each([
    [
      'with the epoch of the package, because the source has none',
      '32:9.11.26-4.el8',
      '9.11.26-4.el8',
      '9.11.26-6.el8',
      '32:9.11.26-6.el8',
      true,
    ],
    [
      'by the release that it shares with its source, if it counts versions itself',
      '4:0.99-416.el8',
      '5.26.3-416.el8',
      '5.26.3-422.el8',
      '4:0.99-422.el8',
      true,
    ],
    ['as fixed if its source is', '0.99-422.el8', '5.26.3-422.el8', '5.26.3-422.el8', '0.99-422.el8', false],
    [
      'as fixed if its source is newer',
      '32:9.11.26-7.el8',
      '9.11.26-7.el8',
      '9.11.26-6.el8',
      '32:9.11.26-6.el8',
      false,
    ],
    [
      'only by the source, if it counts releases itself',
      '0.10.3-7.18.el8',
      '8.0p1-18.el8',
      '8.0p1-19.el8',
      '8.0p1-19.el8',
      true,
    ],
    [
      'as fixed only by the source, if it counts releases itself',
      '0.10.3-7.19.el8',
      '8.0p1-19.el8',
      '8.0p1-19.el8',
      '8.0p1-19.el8',
      false,
    ],
    [
      'by its source although its own release suggests otherwise',
      '2.0-9.el8',
      '5.1-9.el8',
      '5.2-1.el8',
      '5.2-1.el8',
      true,
    ],
  ])('reads %s', (_how, installed, source, fixed, own, isAffected) => {
    expect(fixOf(installed, source, fixed)).toEqual({ version: own, isAffected });
  });

  it('is closed by any newer build of a package that counts releases itself', () => {
    const { fix } = inTermsOf(fixedAt('8.0p1-19.el8', 'source'), {
      version: '0.10.3-7.18.el8',
      sourceVersion: '8.0p1-18.el8',
    });
    expect(fix.kind === 'fixed' && compareKeys(keyOf('rpm', '0.10.3-7.19.el8'), fix.key) > 0).toBe(true);
  });

  it('is unchanged if the package itself is named, or the source is unreadable', () => {
    const direct = fixedAt('1-2');
    expect(inTermsOf(direct, { version: '1-1', sourceVersion: '5-5' })).toBe(direct);
    const ofSource = fixedAt('1-2', 'source');
    expect(inTermsOf(ofSource, { version: '1-1', sourceVersion: '' })).toBe(ofSource);
  });
});
