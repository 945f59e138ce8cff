import { moduleStreamOf, streamsInTitle } from '../../src/rpm/module-stream.ts';

describe('the module stream of a package', () => {
  it.each([
    ['perl:5.32:8060020220422081956:fbe42456', '1.module_el8.6.0+2766+8bf0b7ce', 'perl:5.32'],
    ['postgresql:9.6', '1.el8', 'postgresql:9.6'],
    ['python27:2.7::', '1.el8', 'python27:2.7'],
  ])('of label %j is its name and stream', (label, release, stream) => {
    expect(moduleStreamOf(label, release)).toEqual({ kind: 'stream', stream });
  });

  it.each(['', '(none)', 'perl', ':5.32', 'perl: ', '../..:x'])(
    'is unknown for label %j of a build in a module, and empty for another build',
    (label) => {
      expect(moduleStreamOf(label, '4.module+el8.6.0+20623+f0897f98')).toEqual({ kind: 'unknown' });
      expect(moduleStreamOf(label, '4.module_el8.6.0+2766+8bf0b7ce')).toEqual({ kind: 'unknown' });
      expect(moduleStreamOf(label, '4.el8')).toEqual({ kind: 'none' });
    },
  );
});

describe('the streams in a title', () => {
  it.each([
    ['Moderate: perl:5.32 security update', ['perl:5.32']],
    ['Moderate: virt:rhel and virt-devel:rhel security update', ['virt:rhel', 'virt-devel:rhel']],
    ['Important: httpd:2.4/mod_http2 security update', ['httpd:2.4']],
    ['ELSA-2024-3128: perl:5.32 security update (MODERATE)', ['perl:5.32']],
    ['Important: varnish security update', []],
    ['', []],
  ])('of %j are %j', (title, streams) => {
    expect(streamsInTitle(title)).toEqual(streams);
  });

  it('are found in linear time, even in a repetitive title', () => {
    expect(streamsInTitle('a:'.repeat(1_000_000))).toEqual([]);
  });
});
