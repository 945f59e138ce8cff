import path from 'node:path';
import { build } from 'esbuild';

/** The npm packages that a built thread of the API loads itself. */
async function packagesOf(thread: string): Promise<ReadonlySet<string>> {
  // Plain JavaScript, without types: the build of the apps.
  const { appBundle } = (await import('../../../tools/app-bundle.mjs' as string)) as {
    appBundle(folder: string): object;
  };
  const folder = path.resolve(import.meta.dirname, '..');
  const { metafile } = await build({ ...appBundle(folder), write: false, metafile: true });
  const [output] = Object.entries(metafile.outputs).filter(([file]) => file.endsWith(`${thread}.js`));
  const imports = output?.[1].imports.map(({ path: name }) => name) ?? [];
  return new Set(imports.filter((name) => !name.startsWith('node:')));
}

it('loads only what reads need in the thread that reads', async () => {
  const packages = await packagesOf('serving/read-thread');
  expect(packages.has('pg')).toBe(true);
  for (const name of ['bullmq', 'ioredis', '@zxcvbn-ts/language-common', 'pino', 'prom-client', 'express'])
    expect([name, packages.has(name)]).toEqual([name, false]);
});

it('loads no database client of Prisma in the thread that takes uploads', async () => {
  const packages = await packagesOf('uploads/upload-thread');
  expect(packages.has('zod')).toBe(true);
  for (const name of ['bullmq', '@prisma/adapter-pg', '@prisma/driver-adapter-utils'])
    expect([name, packages.has(name)]).toEqual([name, false]);
});
