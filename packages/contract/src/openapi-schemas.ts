import { z } from 'zod';

/** A JSON object of an OpenAPI document. */
export type OpenApiObject = { [key: string]: unknown };

const definitions = '#/$defs/';

/**
 * Collects JSON schemas for an OpenAPI document: schemas with an `id` become referenced components, the others stay
 * inline.
 */
export class OpenApiSchemas {
  /** By name, as met. */
  readonly components: OpenApiObject = {};

  /** The JSON schema of what clients send (`input`) or get (`output`). */
  add(schema: z.ZodType, direction: 'input' | 'output'): OpenApiObject {
    const converted = z.toJSONSchema(schema, {
      io: direction,
      override: ({ jsonSchema }) => {
        // The format is enough; the pattern is an implementation detail.
        if (jsonSchema.format === 'date-time' || jsonSchema.format === 'uuid') delete jsonSchema.pattern;
      },
    });
    const { $schema: _, $defs = {}, ...own } = withComponentReferences(converted);
    Object.assign(this.components, $defs);
    return own;
  }
}

function withComponentReferences(schema: object): OpenApiObject {
  return JSON.parse(JSON.stringify(schema), (key, value: unknown) => {
    if (key !== '$ref' || typeof value !== 'string' || !value.startsWith(definitions)) return value;
    return `#/components/schemas/${value.slice(definitions.length)}`;
  });
}
