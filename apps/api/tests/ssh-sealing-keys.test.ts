import { rename, writeFile } from 'node:fs/promises';
import { type ApiUnderTest, setUp, startApi } from './api-under-test.ts';
import { sshFleetOf } from './ssh-fleet.ts';

describe('without a sealing key', () => {
  const refusals = async (given: ApiUnderTest, code: string, detail: RegExp) => {
    await setUp(given);
    const { create } = sshFleetOf(given);
    for (const unique_key_pair of [false, true]) {
      const answer = await create({ unique_key_pair });
      expect([answer.status, answer.body.code]).toEqual([503, code]);
      expect(answer.body.detail).toMatch(detail);
      expect(answer.text).not.toContain(given.sealingKeys.publicKeyFile);
    }
    expect(await given.database.db.prisma.host.count()).toBe(0);
    expect(await given.database.db.prisma.sshKeyPair.count()).toBe(0);
  };

  it('no host is created, and the setting is named', async () => {
    const unset = await startApi({ sealingPublicKeyFile: null });
    try {
      await refusals(unset, 'unavailable', /ssh\.sealing_public_key_file is not set/);
    } finally {
      await unset.stop();
    }
  });

  it('that is usable no host is created, and the log says why; with one, creation works at once', async () => {
    const broken = await startApi();
    const { publicKeyFile } = broken.sealingKeys;
    try {
      await rename(publicKeyFile, `${publicKeyFile}.away`);
      await refusals(broken, 'unavailable', /ssh\.sealing_public_key_file names cannot be used/);
      expect(broken.log.lines).toContainEqual(
        expect.objectContaining({
          level: 'error',
          err: expect.objectContaining({ cause: expect.objectContaining({ code: 'file_missing' }) }),
        }),
      );
      await writeFile(publicKeyFile, `x25519-public ${Buffer.alloc(32).toString('base64url')}\n`);
      const { create } = sshFleetOf(broken);
      expect((await create()).body.code).toBe('unavailable');
      await rename(`${publicKeyFile}.away`, publicKeyFile);
      expect((await create({ unique_key_pair: true })).status).toBe(201);
    } finally {
      await broken.stop();
    }
  });
});
