import { database, due } from './mutated-paths.ts';
import type { Mutation } from './mutation.ts';

const deadlines = ['packages/advisories/tests/due/deadline.test.ts'];
const laws = ['packages/advisories/tests/host/due-laws.test.ts'];

/** Rules of due dates. */
export const dueMutations: readonly Mutation[] = [
  {
    rule: 'the first rule of due dates that applies counts',
    breaks: 'the last one does',
    file: `${due}/due-decision.ts`,
    from: 'rules.find(applies)',
    to: 'rules.findLast(applies)',
    tests: deadlines,
  },
  {
    rule: 'a host of unknown exposure is due as a public one',
    breaks: 'it is due as an internal one',
    file: `${due}/due-decision.ts`,
    from: "assume('exposure_unknown', 'public')",
    to: "assume('exposure_unknown', 'internal')",
    tests: deadlines,
  },
  {
    rule: 'of several CVEs the strictest is due',
    breaks: 'the last one to be due is',
    file: `${due}/deadline.ts`,
    from: 'otherEnd > end || (otherEnd === end',
    to: 'otherEnd < end || (otherEnd === end',
    tests: deadlines,
  },
  {
    rule: 'a clock does not start before the advisory',
    breaks: 'it starts with the installation years before',
    file: `${due}/due-clock.ts`,
    from: 'return Math.max(times.installedAt, facts.statedAt);',
    to: 'return times.installedAt;',
    tests: deadlines,
  },
  {
    rule: 'the fast count is due when its advisories are',
    breaks: 'a span begins with the installation, also before the advisory',
    file: `${due}/due-span.ts`,
    from: 'Math.max(startedAt, notBefore) + spanMs',
    to: 'startedAt + spanMs',
    tests: [...laws, ...deadlines],
  },
  {
    rule: 'a finding is overdue when its date has come',
    breaks: 'its date is the next one again and again',
    file: `${due}/host-due.ts`,
    from: 'if (time <= this.#due.now) this.#overdue += 1;',
    to: 'if (time < this.#due.now) this.#overdue += 1;',
    tests: laws,
  },
  {
    rule: 'a fix is as old as the erratum that published it',
    breaks: 'as the record of the CVE',
    file: `${database}/knowledge/statement-dates.ts`,
    from: '    ...(erratumAt === null ? [] : [erratumAt.getTime()]),\n',
    to: '',
    tests: ['apps/api/tests/due-dates.test.ts'],
  },
  {
    rule: 'a host is counted again at its next due date',
    breaks: 'only with other changes',
    file: `${database}/judging/due/host-due-terms.ts`,
    from: 'WHERE next_due_at <= now()\n',
    to: "WHERE next_due_at <= now() - interval '1 year'\n",
    tests: ['apps/api/tests/due-dates.test.ts'],
  },
];
