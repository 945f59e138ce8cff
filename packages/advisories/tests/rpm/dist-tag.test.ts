import { distTagOf } from '../../src/rpm/dist-tag.ts';

describe('the dist tag of a release', () => {
  it.each([
    ['9.el8', 'el', '8', '', ''],
    ['60.el9_2.7', 'el', '9', '2', ''],
    ['1.el8_10.alma.1', 'el', '8', '10', ''],
    ['310.184.5.2.el8uek', 'el', '8', '', 'uek'],
    ['4.module+el8.6.0+20623+f0897f98', 'el', '8', '', ''],
    ['10.module_el8.5.0+2812+ed912d05', 'el', '8', '', ''],
    ['200.fc42', 'fc', '42', '', ''],
    ['99.164.amzn2023', 'amzn', '2023', '', ''],
    ['2.amzn2.0.5', 'amzn', '2', '', ''],
    ['5.el7.centos', 'el', '7', '', ''],
  ])('%s is read', (release, family, number, minor, suffix) => {
    expect(distTagOf(release)).toEqual({ family, number, minor, suffix });
  });

  it.each(['150300.59.49.1', '6525146f', '', '3.20201208.gitfc42ab', '1.elephant'])(
    '%s has none',
    (release) => {
      expect(distTagOf(release)).toBeNull();
    },
  );

  it('is not taken from the hash of a module’s build', () => {
    expect(distTagOf('2.module+el8.4.0+646+fc1a61b2')).toMatchObject({ family: 'el', number: '8' });
  });
});
