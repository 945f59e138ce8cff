import { isPermittedAddress } from '../src/permitted-address.ts';

it.each([
  ['a@example.org', [], true],
  ['a@EXAMPLE.org', ['example.org'], true],
  ['a@sub.example.org', ['example.org'], false],
  ['a@sub.example.org', ['*.example.org'], true],
  ['a@example.org', ['*.example.org'], false],
  ['a@evil-example.org', ['*.example.org'], false],
  ['example.org@evil.net', ['example.org'], false],
])('%s with %j: %s', (address, domains, isPermitted) => {
  expect(isPermittedAddress(address, domains)).toBe(isPermitted);
});
