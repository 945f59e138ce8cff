// Jest's default limit for a test or hook, five seconds, is too short for a busy machine, or a virtual one that stands
// still for a minute. This limit only ends a test that hangs; lab/benches measures speed.
jest.setTimeout(300_000);
