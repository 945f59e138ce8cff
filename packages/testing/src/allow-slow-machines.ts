// Jest's default limit for a test or hook, five seconds, is too short for a busy machine. This limit only
// ends a test that hangs; benches/ measure speed.
jest.setTimeout(60_000);
