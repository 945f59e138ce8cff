// What Jest allows a test or a hook by itself, five seconds, is short on a machine that does much else. It is no
// assertion: a test that hangs is ended by it, and how fast things are is measured in benches/.
jest.setTimeout(60_000);
