import { isLoopbackHost } from '../src/index.ts';

it.each(['localhost', '127.0.0.1', '127.1.2.3', '::1', '[::1]'])('%s is this machine', (host) => {
  expect(isLoopbackHost(host)).toBe(true);
});

it.each(['0.0.0.0', '::', '[::]', '10.127.0.1', '127.0.0.1.example.org', 'localhost.example.org', ''])(
  '%p may be another machine',
  (host) => {
    expect(isLoopbackHost(host)).toBe(false);
  },
);
