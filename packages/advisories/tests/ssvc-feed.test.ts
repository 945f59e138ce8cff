import { feedsOf, formatOfRecord } from '../src/index.ts';

const feed = feedsOf('cves').find(({ id }) => id === 'cisa-ssvc');
const read = (record: unknown) => {
  if (feed === undefined) throw new Error('no feed of SSVC');
  return feed.read(record, { release: null });
};

const cisa = '134c704f-9b21-4f2e-91b3-4a467353bcc0';

/** The answers about CVE-2024-1086 in CISA's repository. */
const decision = {
  id: 'CVE-2024-1086',
  role: 'CISA Coordinator',
  options: [{ Exploitation: 'active' }, { Automatable: 'no' }, { 'Technical Impact': 'total' }],
  version: '2.0.3',
  timestamp: '2024-06-13T14:20:47.271139Z',
};

const recordWith = (
  contents: readonly unknown[],
  { orgId = cisa, cveId = 'CVE-2024-1086' }: { readonly orgId?: string; readonly cveId?: string } = {},
) => ({
  dataType: 'CVE_RECORD',
  cveMetadata: { cveId, state: 'PUBLISHED' },
  containers: {
    cna: { title: 'Use-after-free', metrics: [{ other: { type: 'ssvc', content: decision } }] },
    adp: [
      { title: 'CVE Program Container', providerMetadata: { orgId: 'af854a3a-2127-422b-91ae-364da2661108' } },
      {
        title: 'CISA ADP Vulnrichment',
        metrics: [
          ...contents.map((content) => ({ other: { type: 'ssvc', content } })),
          { other: { type: 'kev', content: { dateAdded: '2024-05-30' } } },
        ],
        providerMetadata: { orgId, shortName: 'CISA-ADP' },
      },
    ],
  },
});

const fact = {
  kind: 'ssvc',
  cve: 'CVE-2024-1086',
  exploitation: 'active',
  automatable: false,
  technicalImpact: 'total',
  decidedAt: new Date('2024-06-13T14:20:47.271Z'),
};

describe('the decisions of CISA', () => {
  it('are read from the container of CISA, with the time of the decision', () => {
    const record = recordWith([decision]);
    expect(formatOfRecord(record)).toBe('ssvc');
    expect(read(record)).toEqual({ kind: 'read', items: [fact], asOf: fact.decidedAt, issues: [] });
  });

  it('are read in any case of the letters, as in the records of 2024', () => {
    const options = [{ Exploitation: 'PoC' }, { Automatable: 'Yes' }, { 'Technical Impact': 'Partial' }];
    expect(read(recordWith([{ ...decision, options }]))).toMatchObject({
      items: [{ exploitation: 'poc', automatable: true, technicalImpact: 'partial' }],
    });
  });

  it('count by the newest one', () => {
    const older = {
      ...decision,
      options: [{ Exploitation: 'none' }, { Automatable: 'yes' }, { 'Technical Impact': 'partial' }],
      timestamp: '2024-05-31T00:00:00+00:00',
    };
    expect(read(recordWith([older, decision]))).toMatchObject({ items: [fact] });
    expect(read(recordWith([decision, older]))).toMatchObject({ items: [fact] });
  });

  it('of another publisher do not count', () => {
    const orgId = '00000000-0000-4000-9000-000000000000';
    expect(read(recordWith([decision], { orgId }))).toEqual({ kind: 'skipped', reason: 'no_decision' });
  });

  it.each([
    ['about another CVE', { id: 'CVE-2024-1087' }],
    ['without an answer', { options: [{ Exploitation: 'active' }, { Automatable: 'no' }] }],
    ['with an unknown answer', { options: [{ Exploitation: 'perhaps' }, ...decision.options.slice(1)] }],
    ['without a zone', { timestamp: '2024-06-13T14:20:47' }],
    ['of no day', { timestamp: '2024-13-45T14:20:47Z' }],
  ])('are rejected, never guessed: %s', (_name, changes) => {
    expect(read(recordWith([{ ...decision, ...changes }]))).toEqual({
      kind: 'rejected',
      reason: 'invalid_fact',
    });
  });

  it('need the id of a CVE', () => {
    expect(read(recordWith([decision], { cveId: '../../etc/passwd' }))).toMatchObject({
      reason: 'invalid_id',
    });
    expect(read([])).toEqual({ kind: 'rejected', reason: 'not_an_object' });
  });
});
