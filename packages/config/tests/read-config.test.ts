import { writeFile } from 'node:fs/promises';
import path from 'node:path';
import { folderPerFile } from '@plimsoll/testing';
import { configEnvironment, readConfig } from '../src/index.ts';
import { secretNames } from '../src/settings.ts';

const folder = folderPerFile();

beforeAll(async () => {
  await writeFile(path.join(folder, 'plimsoll.yaml'), 'api.port: 1\n');
  await writeFile(path.join(folder, 'other.yaml'), 'api.port: 2\n');
});

function portOf(configPath: string | null, env: Record<string, string> = {}): Promise<number> {
  return readConfig({ env, configPath, projectDir: folder }).then((config) => config['api.port']);
}

it('reads plimsoll.yaml of the project folder when nothing names a file', async () => {
  expect(await portOf(null)).toBe(1);
});

it('reads the file of --config before that of PLIMSOLL_CONFIG', async () => {
  expect(await portOf('other.yaml', { PLIMSOLL_CONFIG: 'missing.yaml' })).toBe(2);
  expect(await portOf(null, { PLIMSOLL_CONFIG: path.join(folder, 'other.yaml') })).toBe(2);
});

it('reads no file at all when PLIMSOLL_CONFIG is empty', async () => {
  expect(await portOf(null, { PLIMSOLL_CONFIG: '' })).toBe(8080);
});

it('refuses a named file that does not exist', async () => {
  await expect(portOf('missing.yaml')).rejects.toThrow(/missing\.yaml/);
});

it('does without plimsoll.yaml where there is none', async () => {
  const config = await readConfig({ env: {}, configPath: null, projectDir: path.join(folder, 'nowhere') });
  expect(config['api.port']).toBe(8080);
});

describe('a secret', () => {
  const read = (env: Record<string, string>) =>
    readConfig({ env: { PLIMSOLL_CONFIG: '', ...env }, configPath: null, projectDir: folder });
  const jwtKey = 'a secret key of more than 32 bytes, for tests';
  const password = 'pass word%';

  beforeAll(async () => {
    await writeFile(path.join(folder, 'jwt'), `${jwtKey}\nanother line\n`);
    await writeFile(path.join(folder, 'url'), 'postgresql://plimsoll@127.0.0.1:5432/plimsoll\r\n');
    await writeFile(path.join(folder, 'password'), password);
    await writeFile(path.join(folder, 'empty'), '\n');
  });

  it.each(secretNames)('may be in a file: %s', async (name) => {
    await expect(read({ [`${name}_FILE`]: 'missing' })).rejects.toThrow(`${name}_FILE`);
    await expect(read({ [`${name}_FILE`]: 'empty' })).rejects.toThrow('without a secret');
    await expect(read({ [`${name}_FILE`]: 'jwt', [name]: 'x' })).rejects.toThrow('set one of them');
  });

  it('is the first line of its file, and checked like the variable', async () => {
    expect((await read({ PLIMSOLL_API_JWT_SECRET_KEY_FILE: 'jwt' }))['api.jwt_secret_key']).toBe(jwtKey);
    expect((await read({ API_JWT_SECRET_KEY_FILE: path.join(folder, 'jwt') }))['api.jwt_secret_key']).toBe(
      jwtKey,
    );
    const error = await read({ PLIMSOLL_API_JWT_SECRET_KEY_FILE: 'password' }).catch(
      (thrown: unknown) => thrown,
    );
    expect(String(error)).toContain('32 bytes');
    expect(String(error)).not.toContain(password);
    const both = await read({
      PLIMSOLL_DATABASE_URL_FILE: 'url',
      PLIMSOLL_DATABASE_PASSWORD_FILE: 'password',
    });
    expect(both['database.url']).toBe('postgresql://plimsoll:pass%20word%25@127.0.0.1:5432/plimsoll');
  });

  it('of no other setting is a file', async () => {
    await expect(read({ PLIMSOLL_API_PORT_FILE: 'jwt' })).rejects.toThrow('PLIMSOLL_API_PORT_FILE');
  });

  it('in a file is not passed on to child processes besides its value', async () => {
    const env = { PLIMSOLL_CONFIG: '', PLIMSOLL_API_JWT_SECRET_KEY_FILE: 'jwt' };
    const passed = configEnvironment(await read(env), env);
    expect(passed['PLIMSOLL_API_JWT_SECRET_KEY']).toBe(jwtKey);
    expect(Object.keys(passed).filter((name) => name.endsWith('KEY_FILE'))).toEqual([]);
  });
});
