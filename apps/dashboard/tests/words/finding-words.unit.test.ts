import type { VulnerablePackage } from '@plimsoll/contract';
import { otherFixStates, uncountedInWords } from '../../src/words/finding-words.ts';

type FixState = VulnerablePackage['fix_state'];
const ofStates = (...states: readonly FixState[]) => states.map((fix_state) => ({ fix_state }));

it('says nothing of a finding whose advisories are all fixed in its way', () => {
  expect(otherFixStates('installable', ofStates('installable', 'installable'))).toBeNull();
});

it('says how many advisories have the way of the finding, and which ways the others have', () => {
  const advisories = ofStates('installable', 'not_in_repositories', 'no_fix', 'not_in_repositories');
  expect(otherFixStates('installable', advisories)).toBe(
    'This is so for 1 of 4 advisories. The others: not in repositories (2), no fix yet (1).',
  );
});

it('says how many rows are not counted because vendors have decided on none of their advisories', () => {
  const rows = [
    { advisories: ofStates('under_investigation', 'under_investigation') },
    { advisories: ofStates('under_investigation', 'no_fix') },
    { advisories: ofStates('no_fix') },
    // Waived rows are counted apart.
    { advisories: ofStates('under_investigation'), waiver: { id: '1' } },
  ];
  expect(uncountedInWords(rows)).toBe(
    '1 row is not counted because its vendor is still investigating whether the package is affected.',
  );
  expect(uncountedInWords(rows.slice(1))).toBeNull();
});
