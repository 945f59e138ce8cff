import type { Assessment } from '../../src/index.ts';
import type { DrawnHost } from '../host/drawn/drawn-host.ts';
import { holds, hostKinds } from '../host/drawn/every-host.ts';
import { askable, explainStated } from './explained-host.ts';

/** Explains every advisory about every package of a host. */
function explanationsOf(drawn: DrawnHost, assessment: Assessment) {
  const stored = askable(drawn, assessment);
  return stored.versions.flatMap(({ id, name }) => {
    const { statements } = stored.stated.get(id) ?? { statements: [] };
    return [...new Set(statements.map(({ externalId }) => externalId))].map((advisory) => {
      // The feeds have one advisory with each name: it names packages and sources.
      const asked = Object.values(drawn.statements)
        .flat()
        .filter(({ externalId }) => externalId === advisory);
      return { name, advisory, explanation: explainStated(stored, { packageName: name, asked }) };
    });
  });
}

const seen = new Set<string>();

describe.each(hostKinds)('the explanations of every %s host', (_kind, hosts) => {
  it('call exactly the listed advisories findings, with their fix state and a sentence', () => {
    holds(hosts, (drawn, assessment) => {
      for (const { name, advisory, explanation } of explanationsOf(drawn, assessment)) {
        const listed = assessment.findings
          .filter((finding) => finding.name === name)
          .flatMap((finding) =>
            finding.advisories.filter(({ statement }) => statement.externalId === advisory),
          );
        const isVisible = listed.some(({ statement }) => statement.severity !== 'none');
        const expected = isVisible
          ? 'finding'
          : listed.length > 0
            ? 'hidden'
            : expect.stringMatching(/^(not_a_finding|unknown)$/);
        const { verdict, packages, detail } = explanation;
        expect({ name, advisory, verdict, packages }).toEqual({
          name,
          advisory,
          verdict: expected,
          packages,
        });
        expect(detail).toMatch(/^\S.*\.$/);
        const found = packages.filter(({ reason }) => reason === 'finding' || reason === 'hidden');
        expect(found.map(({ fixState }) => fixState).sort()).toEqual(
          listed.map(({ fixState }) => fixState).sort(),
        );
        for (const { reason } of packages) seen.add(reason);
      }
    });
  });
});

it('the drawn hosts have findings and packages without one, for each reason', () => {
  expect([...seen]).toEqual(
    expect.arrayContaining([
      'finding',
      'hidden',
      'fixed',
      'no_verdict',
      'kernel_not_running',
      'withdrawn',
      'other_build',
    ]),
  );
});
