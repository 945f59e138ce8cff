import { readFileSync } from 'node:fs';
import path from 'node:path';
import { parse } from 'yaml';
import { z } from 'zod';

const root = path.resolve(__dirname, '..');
const names = z.array(z.string());
/** A folder, or a stage of its Dockerfile. */
const build = z.union([z.string(), z.strictObject({ context: z.string(), target: z.string() })]);
const condition = z.enum(['service_healthy', 'service_completed_successfully']);

/**
 * The parts of https://docs.docker.com/reference/compose-file/services/ that the file uses. Misspelt keys are refused.
 */
const service = z.strictObject({
  image: z.string(),
  build: build.optional(),
  profiles: names.optional(),
  user: z.string().optional(),
  command: names.optional(),
  init: z.boolean().optional(),
  environment: z.record(z.string(), z.union([z.string(), z.number(), z.null()])).optional(),
  volumes: names.optional(),
  ports: names.optional(),
  networks: names.optional(),
  depends_on: z.record(z.string(), z.strictObject({ condition })).optional(),
  healthcheck: z
    .strictObject({
      test: names,
      interval: z.string(),
      timeout: z.string(),
      retries: z.number(),
      start_period: z.string(),
    })
    .optional(),
  read_only: z.boolean().optional(),
  tmpfs: names.optional(),
  mem_limit: z.string().optional(),
  pids_limit: z.number().optional(),
  cap_drop: names.optional(),
  security_opt: names.optional(),
  shm_size: z.string().optional(),
  sysctls: z.record(z.string(), z.number()).optional(),
  restart: z.string().optional(),
  stop_grace_period: z.string().optional(),
  logging: z.strictObject({ driver: z.string(), options: z.record(z.string(), z.string()) }).optional(),
  // Accepted so that the rules can refuse them.
  container_name: z.string().optional(),
  privileged: z.boolean().optional(),
});

const network = z.strictObject({
  internal: z.boolean(),
  ipam: z.strictObject({ config: z.array(z.strictObject({ subnet: z.string() })) }).optional(),
});

const composeFile = z.object({
  name: z.string(),
  services: z.record(z.string(), service),
  networks: z.record(z.string(), z.nullable(network)),
  volumes: z.record(z.string(), z.null()),
});

/** One service of docker-compose.yml. */
export type ComposeService = z.output<typeof service>;

/** docker-compose.yml with its anchors and merge keys resolved; variables are left as written. */
export type ComposeFile = z.output<typeof composeFile>;

/** Reads docker-compose.yml. Throws for a key or a type that the Compose specification does not have. */
export function readComposeFile(): ComposeFile {
  return composeFile.parse(
    parse(readFileSync(path.join(root, 'docker-compose.yml'), 'utf8'), { merge: true }),
  );
}

/** A value after interpolation: `${NAME:?text}` and `${NAME:-default}` replaced. Null if NAME has no value. */
export function interpolate(text: string, values: Readonly<Record<string, string>>): string | null {
  let missing = false;
  const replaced = text.replace(
    /\$\{(\w+)(?::([-?])([^}]*))?\}/g,
    (_whole, name: string, kind: string | undefined, rest: string | undefined) => {
      const value = values[name] ?? (kind === '-' ? rest : undefined);
      if (value === undefined) missing = true;
      return value ?? '';
    },
  );
  return missing ? null : replaced;
}
