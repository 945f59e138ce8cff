import { auditActionOptions, targetInWords } from '@plimsoll/words';

describe('the target of an audit event', () => {
  it.each([
    ['host', '01990000-aaaa-7000-8000-00000012abcd', 'web-1', 'web-1'],
    ['host', '01990000-aaaa-7000-8000-00000012abcd', null, 'Host …12abcd'],
    ['registration_token', '01990000-aaaa-7000-8000-00000012abcd', '', 'Registration token …12abcd'],
    [null, 'gone', null, 'gone'],
  ] as const)('%s %s named %j: %s', (kind, id, name, words) => {
    expect(targetInWords(kind, id, name)).toBe(words);
  });
});

describe('the filter by action', () => {
  it('offers each value once, and each group of actions holds one that is offered', () => {
    const values = auditActionOptions.map(([value]) => value);
    expect(new Set(values).size).toBe(values.length);
    const groups = values.filter((value) => value.endsWith('.'));
    expect(
      groups.filter((group) => !values.some((value) => value !== group && value.startsWith(group))),
    ).toEqual([]);
    expect(groups).toHaveLength(6);
  });
});
