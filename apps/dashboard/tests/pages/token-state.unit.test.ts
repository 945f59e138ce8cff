import { tokenState } from '../../src/pages/settings/tokens/token-state.ts';

const open = { revoked_at: null, expires_at: '2999-01-01T00:00:00Z', uses: 1, max_uses: 2 };
const past = '2020-01-01T00:00:00Z';

describe('a registration token', () => {
  it.each([
    [open, 'open'],
    [{ ...open, expires_at: past }, 'expired'],
    [{ ...open, uses: 2 }, 'used'],
    [{ ...open, uses: 2, expires_at: past }, 'used'],
    [{ ...open, uses: 2, expires_at: past, revoked_at: past }, 'revoked'],
  ])('%j is %s', (token, state) => {
    expect(tokenState(token)).toBe(state);
  });
});
