import type { Release } from '@plimsoll/model';
import { classifyPackage, labelFromEnabledStreams, lacksStream } from '../../src/index.ts';
import { rpm } from '../rpm-host.ts';

const stream = (name: string, text: string, enabled = true) => ({ name, stream: text, enabled });
const modular = rpm('perl-libs-4:5.26.3-421.module_el8.6.0+1+a.x86_64', { vendor: 'AlmaLinux' });

describe('a package built in a module without a stated stream', () => {
  it('is recognized by its release alone', () => {
    expect(lacksStream(modular)).toBe(true);
    expect(lacksStream({ ...modular, module: '(none)' })).toBe(true);
    expect(lacksStream({ ...modular, module: 'perl:5.26:8060020220301:abc' })).toBe(false);
    expect(lacksStream(rpm('perl-libs-4:5.26.3-421.el8.x86_64'))).toBe(false);
  });

  it.each([
    [
      'the only enabled stream of its module',
      ['perl'],
      [stream('perl', '5.26'), stream('php', '7.4')],
      'perl:5.26',
    ],
    ['a stream as the word it is', ['postgresql'], [stream('postgresql', '1.10')], 'postgresql:1.10'],
    [
      'the one module of several that is enabled',
      ['virt', 'virt-devel'],
      [stream('virt', 'rhel')],
      'virt:rhel',
    ],
  ])('is of %s', (_what, modules, streams, expected) => {
    const label = labelFromEnabledStreams(modules, streams) ?? '';
    const verdict = classifyPackage({ ...modular, module: label }, 'almalinux:8' as Release);
    expect(verdict).toMatchObject({ kind: 'comparable', module: expected, moduleFrom: 'enabled_streams' });
  });

  it.each([
    ['no advisory knows its module', [], [stream('perl', '5.26')]],
    ['no stream of its module is enabled', ['perl'], [stream('perl', '5.26', false), stream('php', '7.4')]],
    ['two streams are enabled', ['perl'], [stream('perl', '5.26'), stream('perl', '5.32')]],
    [
      'two of its modules are enabled',
      ['virt', 'virt-devel'],
      [stream('virt', 'rhel'), stream('virt-devel', 'rhel')],
    ],
    ['its stream is not one word', ['perl'], [stream('perl', '5 26')]],
  ])('has an unknown stream if %s', (_why, modules, streams) => {
    expect(labelFromEnabledStreams(modules, streams)).toBeNull();
    const verdict = classifyPackage(modular, 'almalinux:8' as Release);
    expect(verdict).toMatchObject({ kind: 'unknown', reason: 'stream_unknown' });
  });

  it('is not marked as derived from its host if it states its stream', () => {
    const verdict = classifyPackage(
      { ...modular, module: 'perl:5.26:8060020220301:abc' },
      'almalinux:8' as Release,
    );
    expect(verdict).not.toHaveProperty('moduleFrom');
  });
});
