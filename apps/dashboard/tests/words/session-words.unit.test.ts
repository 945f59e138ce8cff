import { clientInWords } from '../../src/words/session-words.ts';

it.each([
  ['Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0', 'browser', 'Firefox on Linux'],
  [
    'Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/140.0.0.0 Safari/537.36 Edg/140.0',
    'browser',
    'Edge on Windows',
  ],
  [
    'Mozilla/5.0 (Macintosh; Intel Mac OS X 10_15_7) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/18.0 Safari/605.1.15',
    'token',
    'Safari on macOS (token)',
  ],
  ['curl/8.5.0', 'token', 'curl/8.5.0'],
  ['', 'token', 'Unnamed program'],
] as const)('names the client of %s', (user_agent, kind, words) => {
  expect(clientInWords({ user_agent, kind })).toBe(words);
});
