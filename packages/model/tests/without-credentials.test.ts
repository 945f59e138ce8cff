import { withoutCredentials } from '../src/index.ts';

it.each([
  ['postgresql://plimsoll:s3cret@db.lan/plimsoll', 'postgresql://[secret]@db.lan/plimsoll'],
  ['https://me:p@s3cret@mirror.lan/a', 'https://[secret]@mirror.lan/a'],
  ['redis://10.0.0.1?password=s3cret', 'redis://10.0.0.1?[secret]'],
  ['https://mirror.lan/a#s3cret', 'https://mirror.lan/a?[secret]'],
  ['"https://mirror.lan/a" at me@example.org', '"https://mirror.lan/a" at me@example.org'],
  [`${'x'.repeat(3_990)} https://me:s3cret@mirror.lan/`, `${'x'.repeat(3_990)} https://[`],
])('shows %s without credentials', (text, shown) => {
  expect(withoutCredentials(text)).toBe(shown);
});
