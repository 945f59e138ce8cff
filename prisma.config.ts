// The schema engine binary is downloaded by every Prisma command unless one is named; generating needs none of it.
process.env['PRISMA_SCHEMA_ENGINE_BINARY'] ??= process.execPath;

export default {
  schema: 'prisma/schema.prisma',
  migrations: { path: 'prisma/migrations' },
};
