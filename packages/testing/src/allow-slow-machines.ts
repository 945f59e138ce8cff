// Jest's default limit for a test or hook, five seconds, is short on a busy machine. This is not an assertion: it ends
// a test that hangs, and benches/ measure speed.
jest.setTimeout(60_000);
