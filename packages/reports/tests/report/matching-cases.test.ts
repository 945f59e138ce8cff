import { almaSnapshot, debian, debianSnapshot } from './report-builder.ts';

describe('rules about the data of a host, by number', () => {
  it('9. packages with only remaining configuration are not installed; held, unpacked and half-configured ones are', () => {
    const rows = [
      ['rc ', 'apache2'],
      ['pn ', 'nginx'],
      ['hi ', 'curl'],
      ['iU ', 'openssh-server'],
      ['iF ', 'postgresql-15'],
    ].map(([status, name]) => `${status}\t${name}\tamd64\t1.0-1\t${name}\t1.0-1`);
    const { packages } = debianSnapshot({ dpkg: [debian['dpkg'], ...rows].join('\n') });
    expect(packages.map(({ name, held }) => (held ? `${name} (held)` : name)).sort()).toEqual([
      'bash',
      'curl (held)',
      'openssh-server',
      'postgresql-15',
    ]);
  });

  it.each([
    ['says\tReboot is required to fully utilize these updates.', 1, 'yes'],
    ['says\tReboot should not be necessary.', 0, 'no'],
    ['says\tNo such command: needs-restarting.', 1, 'unknown'],
    ['says\tEin Neustart ist erforderlich.', 1, 'unknown'],
    ['', 124, 'unknown'],
  ])(
    '31. needs-restarting is believed in its own words alone: %j with exit %i is %s',
    (says, exit, expected) => {
      const reboot = `flag\tno\nneeds-restarting\t${exit}${says === '' ? '' : `\n${says}`}`;
      expect(almaSnapshot({ reboot }).kernel.rebootRequired).toBe(expected);
    },
  );

  it.each([
    [0, 'unknown'],
    [1, 'no'],
    [2, 'yes'],
    [3, 'yes'],
  ])('31. needrestart’s kernel status %i is %s', (status, expected) => {
    const needrestart = `NEEDRESTART-VER: 3.6\nNEEDRESTART-KSTA: ${status}`;
    const reboot = expected === 'unknown' ? '' : 'flag\tno';
    expect(debianSnapshot({ reboot, needrestart }).kernel.rebootRequired).toBe(expected);
  });

  it('32. /run/crond.reboot in a report does not make a reboot due', () => {
    for (const reboot of ['flag\tno\nfile\t/run/crond.reboot', 'flag\tno\ncrond.reboot\tyes']) {
      expect(debianSnapshot({ reboot }).kernel.rebootRequired).not.toBe('yes');
    }
  });
});
