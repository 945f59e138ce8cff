import {
  type Checker,
  SignatureKind,
  type Type,
  TypeFlags,
  type TypeReference,
} from 'typescript/unstable/sync';
import { Prisma } from '../../src/generated/client.ts';

/** A string that only a running process has: its name is between two of these. */
const mark = '\0';

/** The first part of a text that is not known; null if all of it is. */
export function unknownPart(text: string): string | null {
  return text.split(mark)[1] ?? null;
}

/** A value of which nothing is known. */
export const anything = { toString: () => `${mark}anything${mark}` };

/** After so many choices the last alternative is taken, which ends types that contain themselves. */
const mostChoices = 60;

type Make = (name: string) => unknown;

/**
 * Makes up values by their types: an object has the properties of its type, an array one entry, and a string is a mark
 * (`unknownPart`). Of alternatives it takes the first one, or those that `begin` names.
 */
export class TypeSamples {
  /** The numbers of alternatives met since `begin`. */
  readonly sizes: number[] = [];
  #choices: readonly number[] = [];
  readonly #makers = new Map<number, Make>();
  /** Arrays, of which the number of entries is not known. */
  readonly #arrays = new WeakSet<object>();

  readonly #checker: Checker;

  constructor(checker: Checker) {
    this.#checker = checker;
  }

  /** @param choices which alternatives to take, in the order of their meeting */
  begin(choices: readonly number[]): void {
    this.#choices = choices;
    this.sizes.length = 0;
  }

  /** One of some alternatives. */
  chosen<Value>(values: readonly Value[]): Value {
    const last = values.length - 1;
    if (last === 0) return values[0] as Value;
    const choice = this.#choices[this.sizes.length] ?? (this.sizes.length < mostChoices ? 0 : last);
    this.sizes.push(values.length);
    return values[choice] as Value;
  }

  /** A value of a type. @param name for `unknownPart` */
  of(type: Type | undefined, name: string): unknown {
    if (type === undefined) return anything;
    const make = this.#makers.get(type.id) ?? this.#maker(type);
    this.#makers.set(type.id, make);
    return make(name);
  }

  /** Whether an array was made up. */
  isMade(array: object): boolean {
    return this.#arrays.has(array);
  }

  #maker(type: Type): Make {
    const checker = this.#checker;
    const is = (flags: TypeFlags) => (type.flags & flags) !== 0;
    if (type.isUnionType()) {
      // What may be missing is there at first.
      const types = type
        .getTypes()
        .toSorted((a, b) => (a.flags & TypeFlags.Nullable) - (b.flags & TypeFlags.Nullable));
      return (name) => this.of(this.chosen(types), name);
    }
    if (type.isLiteralType()) return () => type.value;
    if (is(TypeFlags.StringLike)) return (name) => mark + name + mark;
    if (is(TypeFlags.Number)) return () => this.chosen([1, 1_000]);
    if (is(TypeFlags.BigInt)) return () => 1n;
    if (is(TypeFlags.Nullable)) return () => (is(TypeFlags.Null) ? null : undefined);
    const primitive =
      type.isIntersectionType() && type.getTypes().find(({ flags }) => (flags & TypeFlags.Primitive) !== 0);
    if (primitive) return (name) => this.of(primitive, name);
    if (!is(TypeFlags.Object | TypeFlags.Intersection)) return () => anything;
    if (checker.isTupleType(type)) {
      const entries = checker.getTypeArguments(type as TypeReference);
      return (name) => entries.map((entry) => this.of(entry, name));
    }
    if (checker.isArrayType(type)) {
      const [entry] = checker.getTypeArguments(type as TypeReference);
      return (name) => {
        const array = [this.of(entry, `${name}[0]`)];
        this.#arrays.add(array);
        return array;
      };
    }
    switch (type.getSymbol()?.name) {
      case 'Date':
        return () => new Date(0);
      case 'Buffer':
      case 'Uint8Array':
        return () => Buffer.alloc(8);
      case 'Sql':
        return (name) => Prisma.raw(mark + name + mark);
      default:
        return this.#object(type);
    }
  }

  /** An object or a function. */
  #object(type: Type): Make {
    const checker = this.#checker;
    const types = new Map<string, Type | undefined>();
    const typeOf = (key: string): Type | undefined => {
      const property = types.has(key) ? undefined : checker.getPropertyOfType(type, key);
      if (!types.has(key)) types.set(key, property && checker.getTypeOfSymbol(property));
      return types.get(key);
    };
    const result = once(() => this.#resultOf(type));
    const entry = once(() => {
      const iterates = checker.getPropertiesOfType(type).find(({ name }) => name.startsWith('__@iterator'));
      const iterator = iterates && this.#resultOf(checker.getTypeOfSymbol(iterates));
      return iterator && checker.getTypeArguments(iterator as TypeReference)[0];
    });
    return (name) => {
      const values = new Map<string, unknown>();
      const propertyOf = (key: string): unknown => {
        if (!values.has(key)) values.set(key, typeOf(key) && this.of(typeOf(key), `${name}.${key}`));
        return values.get(key);
      };
      return new Proxy(() => this.of(result(), `${name}()`), {
        has: (_, key) => typeof key === 'string' && typeOf(key) !== undefined,
        get: (_, key) => {
          if (key === Symbol.toPrimitive) return () => mark + name + mark;
          if (key === Symbol.iterator) return () => [this.of(entry(), `${name}[0]`)].values();
          return typeof key === 'string' ? propertyOf(key) : undefined;
        },
      });
    };
  }

  /** What a function returns. */
  #resultOf(type: Type | undefined): Type | undefined {
    const [signature, other] =
      type === undefined ? [] : this.#checker.getSignaturesOfType(type, SignatureKind.Call);
    return (
      signature &&
      (other === undefined ? this.#checker.getReturnTypeOfSignature(signature) : this.#checker.getAnyType())
    );
  }
}

function once<Value>(find: () => Value): () => Value {
  const found: Value[] = [];
  return () => {
    if (found.length === 0) found.push(find());
    return found[0] as Value;
  };
}
