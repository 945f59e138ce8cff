import { isJsonObject, type JsonObject } from '@plimsoll/model';
import { fieldOf, listOf } from '../json-fields.ts';
import { mostVexStatements, TooManyStatements, type VexStatement } from './vex-document.ts';

const maxCharacters = 1_000;
const maxNames = 10;
const unprintable = /[\p{Cc}\p{Cs}]/gu;
const hostUrn = /^urn:uuid:([0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12})$/i;

/** The text of a field without control characters, at most 1,000 characters; empty for every other value. */
export function textOf(object: JsonObject, key: string): string {
  return clean(fieldOf(object, key));
}

/** A value as text, as textOf. */
export function clean(value: unknown): string {
  if (typeof value !== 'string') return '';
  return value.slice(0, maxCharacters).replace(unprintable, ' ').trim();
}

/** An identifier in a field; empty for every other value, and for one that is too long: a part of it would name more. */
export function identifierIn(object: JsonObject, key: string): string {
  const value = fieldOf(object, key);
  return typeof value === 'string' && value.length <= maxCharacters ? clean(value) : '';
}

/** A field that is an object; empty for every other value. */
export function objectIn(object: JsonObject, key: string): JsonObject {
  const value = fieldOf(object, key);
  return isJsonObject(value) ? value : {};
}

/** The objects of a list with their places; other entries read as empty objects, so that none is lost. */
export function objectsIn(object: JsonObject, key: string): readonly (readonly [number, JsonObject])[] {
  return [...listOf(fieldOf(object, key)).entries()].map(
    ([index, value]) => [index, isJsonObject(value) ? value : {}] as const,
  );
}

/** The identifiers of a list, as identifierIn; others are empty. */
export function identifiersIn(object: JsonObject, key: string): readonly string[] {
  return listOf(fieldOf(object, key)).map((value) => identifierIn({ value }, 'value'));
}

/** Names of a vulnerability: each once, without empty ones, the first ones. */
export function namesOf(names: readonly string[]): readonly string[] {
  return [...new Set(names.filter((name) => name !== ''))].slice(0, maxNames);
}

/** The id of the host that `urn:uuid:…` names; null for other text. */
export function hostOfUrn(text: string): string | null {
  return hostUrn.exec(text)?.[1]?.toLowerCase() ?? null;
}

/** Collects statements; throws TooManyStatements above the limit. */
export class StatementList {
  readonly statements: VexStatement[] = [];

  add(statement: VexStatement): void {
    if (this.statements.length >= mostVexStatements) throw new TooManyStatements();
    this.statements.push(statement);
  }
}
