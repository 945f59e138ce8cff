import { createHash, randomBytes } from 'node:crypto';
import { type HostId, type RegistrationTokenId, wholeFleet } from '@plimsoll/model';
import { createTestDatabase, type TestDatabase } from '@plimsoll/testing';
import {
  createEnrolmentStore,
  createHostStore,
  createRegistrationTokenStore,
  type EnrolmentRequest,
  newId,
  systemActor,
} from '../src/index.ts';

let database: TestDatabase;
beforeEach(async () => {
  database = await createTestDatabase();
});
afterEach(() => database.drop());

const hash = (text: string) => createHash('sha256').update(text).digest();

async function issueToken(
  options: { autoApprove?: boolean; maxUses?: number; hostId?: string; expiresAt?: Date } = {},
) {
  const secret = randomBytes(8).toString('hex');
  const token = await createRegistrationTokenStore(database.db).create(
    wholeFleet,
    {
      id: newId<RegistrationTokenId>(),
      name: 'test',
      tokenHash: new Uint8Array(hash(secret)),
      autoApprove: options.autoApprove ?? false,
      maxUses: options.maxUses ?? 1,
      hostId: options.hostId ?? null,
      expiresAt: options.expiresAt ?? new Date(Date.now() + 60_000),
    },
    systemActor('test'),
  );
  return { token, secret };
}

function request(secret: string, changes: Partial<EnrolmentRequest> = {}): EnrolmentRequest {
  return {
    tokenHash: hash(secret),
    idempotencyKeyHash: null,
    hostId: newId<HostId>(),
    accessTokenId: newId<string>(),
    accessTokenHash: randomBytes(32),
    hostname: 'web-1',
    machineId: randomBytes(16).toString('hex'),
    ipAddress: '192.0.2.7',
    osFamily: 'apt',
    osName: 'debian',
    osMajor: 12,
    osVersion: '12.8',
    architecture: 'amd64',
    staleAfterSeconds: 93_600,
    origin: { ipAddress: '192.0.2.7', requestId: null },
    ...changes,
  };
}

describe('enrolment', () => {
  it('accepts a token for one use exactly once, even from many requests at once', async () => {
    const { secret } = await issueToken();
    const store = createEnrolmentStore(database.db);
    const results = await Promise.all(Array.from({ length: 12 }, () => store.enrol(request(secret))));
    expect(results.filter(({ kind }) => kind === 'enrolled')).toHaveLength(1);
    expect(await database.db.prisma.host.count()).toBe(1);
  });

  it('refuses unknown, revoked and expired tokens in the same way', async () => {
    const store = createEnrolmentStore(database.db);
    const revoked = await issueToken();
    await createRegistrationTokenStore(database.db).revoke(wholeFleet, revoked.token.id, systemActor('test'));
    const expired = await issueToken({ expiresAt: new Date(Date.now() - 1_000) });
    for (const secret of ['never issued', revoked.secret, expired.secret]) {
      expect(await store.enrol(request(secret))).toEqual({ kind: 'refused' });
    }
  });

  it('keeps a host pending unless its token approves, and shows what the host reported about itself', async () => {
    const store = createEnrolmentStore(database.db);
    const pending = await store.enrol(request((await issueToken()).secret));
    const approved = await store.enrol(request((await issueToken({ autoApprove: true })).secret));
    expect(pending).toMatchObject({ kind: 'enrolled', approvalStatus: 'pending' });
    expect(approved).toMatchObject({ kind: 'enrolled', approvalStatus: 'approved' });
    if (approved.kind !== 'enrolled') throw new Error('the host was not enrolled');
    expect(await createHostStore(database.db).find(wholeFleet, approved.hostId)).toMatchObject({
      onboardingMode: 'agent',
      displayName: 'web-1',
      osFamily: 'apt',
      osName: 'debian',
      osMajor: 12,
      osVersion: '12.8',
      status: 'new',
      coverage: 'none',
      overallAction: 'unknown',
      updatesState: 'unknown',
      ipAddress: '192.0.2.7',
    });
  });

  it('makes a second host with a known machine id pending and does not change the first', async () => {
    const store = createEnrolmentStore(database.db);
    const machineId = 'b08dfa6083e7567a1921a715000001fb';
    const token = await issueToken({ autoApprove: true, maxUses: 2 });
    const first = await store.enrol(request(token.secret, { machineId }));
    const clone = await store.enrol(request(token.secret, { machineId }));
    expect(first).toMatchObject({ approvalStatus: 'approved' });
    expect(clone).toMatchObject({ approvalStatus: 'pending' });
    if (first.kind !== 'enrolled' || clone.kind !== 'enrolled') throw new Error('both must enrol');
    const hosts = createHostStore(database.db);
    expect((await hosts.find(wholeFleet, clone.hostId))?.machineIdConflictWith).toBe(first.hostId);
    expect((await hosts.find(wholeFleet, first.hostId))?.machineIdConflictWith).toBeNull();
  });

  it('marks one of two clones that enrol at the same moment', async () => {
    const store = createEnrolmentStore(database.db);
    const { secret } = await issueToken({ autoApprove: true, maxUses: 2 });
    const machineId = '0123456789abcdef0123456789abcdef';
    const results = await Promise.all([1, 2].map(() => store.enrol(request(secret, { machineId }))));
    expect(
      results.map((result) => (result.kind === 'enrolled' ? result.approvalStatus : 'refused')).sort(),
    ).toEqual(['approved', 'pending']);
  });

  it('enrols the same host again with a token issued for it, and ends its earlier access token', async () => {
    const store = createEnrolmentStore(database.db);
    const before = request((await issueToken({ autoApprove: true })).secret);
    const first = await store.enrol(before);
    if (first.kind !== 'enrolled') throw new Error('the host was not enrolled');
    const again = request((await issueToken({ hostId: first.hostId })).secret, {
      machineId: before.machineId,
    });
    expect(await store.enrol(again)).toMatchObject({ hostId: first.hostId, approvalStatus: 'approved' });
    expect(await store.authenticateHost(before.accessTokenHash)).toBeNull();
    expect(await store.authenticateHost(again.accessTokenHash)).toMatchObject({ hostId: first.hostId });
  });

  it('returns the same host for a repeated request until its access token is used', async () => {
    const store = createEnrolmentStore(database.db);
    const { secret } = await issueToken();
    const lost = request(secret, { idempotencyKeyHash: hash('key') });
    const repeated = request(secret, { idempotencyKeyHash: hash('key'), machineId: lost.machineId });
    const first = await store.enrol(lost);
    expect(await store.enrol(repeated)).toEqual(first);
    expect(await store.authenticateHost(lost.accessTokenHash)).toBeNull();
    expect(await store.authenticateHost(repeated.accessTokenHash)).not.toBeNull();
    expect(await store.enrol(request(secret, { idempotencyKeyHash: hash('key') }))).toEqual({
      kind: 'refused',
    });
    expect(await store.enrol(request(secret, { idempotencyKeyHash: hash('another key') }))).toEqual({
      kind: 'refused',
    });
    expect(await database.db.prisma.host.count()).toBe(1);
  });

  it('ends the access token with the host', async () => {
    const store = createEnrolmentStore(database.db);
    const enrolling = request((await issueToken()).secret);
    const result = await store.enrol(enrolling);
    if (result.kind !== 'enrolled') throw new Error('the host was not enrolled');
    expect(await createHostStore(database.db).delete(wholeFleet, result.hostId, systemActor('test'))).toBe(
      true,
    );
    expect(await store.authenticateHost(enrolling.accessTokenHash)).toBeNull();
  });
});
