import { dayStart } from '../../src/pages/settings/audit/audit-days.ts';
import { auditDetails, detailsInWords } from '../../src/pages/settings/audit/audit-details.ts';

describe('the details of an audit event', () => {
  it('are values and changes in words', () => {
    const details = {
      role: { from: 'viewer', to: 'admin' },
      tags: { from: [], to: ['web', 'db'] },
      auto_approve: true,
      name: '',
      max_uses: 3,
    };
    expect(detailsInWords(details)).toBe(
      'role: viewer → admin, tags: none → web, db, auto approve: yes, name: none, max uses: 3',
    );
    expect(auditDetails({ port: { from: 22, to: null } })).toEqual([
      { kind: 'change', name: 'port', from: '22', to: 'none' },
    ]);
  });

  it('are a dash where an event has none', () => {
    expect(detailsInWords({})).toBe('–');
  });
});

describe('a day of the audit filter', () => {
  it('begins at midnight of the reader', () => {
    expect(dayStart('2026-11-22')).toBe(new Date(2026, 10, 22).toISOString());
  });

  it('ends where the next begins, at the end of a month as well', () => {
    expect(dayStart('2026-12-31', 1)).toBe(new Date(2027, 0, 1).toISOString());
    expect(dayStart('2028-02-28', 1)).toBe(new Date(2028, 1, 29).toISOString());
  });

  it.each([undefined, '', '22.11.2026', '2026-11-22T00:00', '12026-01-01'])('%s is none', (text) => {
    expect(dayStart(text)).toBeUndefined();
  });
});
