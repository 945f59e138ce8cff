import { commonPasswordFault } from '../src/index.ts';

const owner = { email: 'ada.lovelace@analytical.example.org', name: 'Ada King' };

describe('commonPasswordFault', () => {
  it.each([
    ['aaaaaaaaaaaa', 'repeat'],
    ['abcabcabcabc', 'repeat'],
    ['passwordpassword', 'repeat'],
    ['Passwordpassword1!', 'repeat'],
    ['abcdabcdabcdab', 'repeat'],
    ['123456789012', 'sequence'],
    ['098765432109', 'sequence'],
    ['abcdefghijklmn', 'sequence'],
    ['qwertyuiopasdf', 'sequence'],
    ['LKJHGFDSAqwerty', 'sequence'],
    ['aaaaaabbbbbb', 'sequence'],
    ['111222333444', 'sequence'],
    ['aaaaaaaaaaaa1', 'repeat'],
    ['1q2w3e4r5t6y', 'most common'],
    ['Administrator', 'made of|most common'],
    ['philadelphia2026', 'most common'],
    ['PhiladElphia!', 'most common'],
    ['p4ssw0rd2026', 'most common'],
    ['P@ssw0rd!!!!!', 'most common'],
    ['password-admin-1', 'made of'],
    ['plimsoll2026!', 'made of'],
    ['Plimsoll-Plimsoll.', 'made of|repeat'],
    ['adalovelace1815', 'made of'],
    ['ada.lovelace', 'made of'],
    ['Lovelace Ada 1', 'made of'],
    ['AdaKing-Plimsoll', 'made of'],
    ['ada.lovelace@analytical.example.org', 'made of'],
  ])('finds %s', (password, words) => {
    expect(commonPasswordFault(password, owner)).toMatch(new RegExp(words));
  });

  it.each([
    'correct horse battery',
    'correct horse battery staple',
    'correct horse viewer',
    'a long password of theirs',
    'quite a long password',
    'look at the fleet',
    'not the password',
    'another one for her',
    'ada counts her engines',
    'plimsoll line on a hull',
    'k3#nQz81!vLp',
    'dZ3pW-5kq9Rb7x_TnM2vYa4c',
    '7f3a9c1be284d650',
    '8391726450cat',
    'a'.repeat(72),
    '四月的雨下在旧屋顶上的声音',
  ])('lets %s pass', (password) => {
    expect(commonPasswordFault(password, owner)).toBeNull();
  });

  it('accepts random passwords', () => {
    for (let n = 0; n < 500; n++) {
      const password = Buffer.from(crypto.getRandomValues(new Uint8Array(18))).toString('base64url');
      expect([password, commonPasswordFault(password, owner)]).toEqual([password, null]);
    }
  });

  it('checks only the given fields of the owner', () => {
    expect(commonPasswordFault('adalovelace1815', {})).toBeNull();
    expect(commonPasswordFault('plimsoll2026!', {})).not.toBeNull();
  });

  it('checks a long password in bounded time', () => {
    const before = process.cpuUsage();
    for (const part of ['ab', 'a', '1', 'qw', 'é']) commonPasswordFault(part.repeat(36).slice(0, 72), owner);
    // Trying all divisions of the password into words takes years.
    expect(process.cpuUsage(before).user).toBeLessThan(20_000_000);
  });
});
