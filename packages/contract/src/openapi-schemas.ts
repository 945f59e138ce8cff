import { z } from 'zod';

/** A JSON object of an OpenAPI document. */
export type OpenApiObject = { [key: string]: unknown };

const definitions = '#/$defs/';

/**
 * Collects JSON schemas for an OpenAPI document: schemas with an `id` become referenced components, the others stay
 * inline.
 */
export class OpenApiSchemas {
  /** By name, in the order of first use. */
  readonly components: OpenApiObject = {};
  /** Many operations share a schema, and a conversion takes milliseconds. */
  readonly #converted = {
    input: new Map<z.ZodType, OpenApiObject>(),
    output: new Map<z.ZodType, OpenApiObject>(),
  };

  /** The JSON schema of what clients send (`input`) or get (`output`); the caller must not change it. */
  add(schema: z.ZodType, direction: 'input' | 'output'): Readonly<OpenApiObject> {
    const known = this.#converted[direction].get(schema);
    if (known !== undefined) return known;
    const own = this.#convert(schema, direction);
    this.#converted[direction].set(schema, own);
    return own;
  }

  #convert(schema: z.ZodType, direction: 'input' | 'output'): OpenApiObject {
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
