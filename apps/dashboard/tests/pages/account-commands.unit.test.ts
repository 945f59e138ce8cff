import { accountCommands } from '../../src/pages/add-hosts/ssh/account-commands.ts';

const line = 'restrict,command="/bin/sh collector" ssh-ed25519 AAAA plimsoll';

describe('the commands that create the account for pulls', () => {
  it('stop at the first failure and leave root the owner of the keys', () => {
    const commands = accountCommands('plimsoll-pull', line) ?? '';
    expect(commands.split('\n').slice(0, 3)).toEqual([
      '(',
      'set -e',
      "useradd --system --user-group --no-create-home --home-dir /var/lib/plimsoll-pull --shell /bin/sh --password '*' plimsoll-pull",
    ]);
    expect(commands).toContain(
      `<<'END'\n${line}\nEND\nchmod 644 /var/lib/plimsoll-pull/.ssh/authorized_keys`,
    );
    expect(commands).not.toContain('chown');
  });

  it.each([
    'root',
    'nobody',
    'www-data',
    'a b',
    'x;reboot',
    '$(id)',
    '../etc',
    'Admin',
    '-f',
    '',
    'a'.repeat(33),
  ])('are not offered for %j', (user) => {
    expect(accountCommands(user, line)).toBeNull();
  });
});
