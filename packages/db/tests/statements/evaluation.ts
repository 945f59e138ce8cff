import { transformSync } from '@swc/core';
import * as ts from 'typescript/unstable/ast';
import { type Symbol as Name, type Project, SymbolFlags, type Type } from 'typescript/unstable/sync';
import { Prisma } from '../../src/generated/client.ts';
import { TypeSamples } from './type-samples.ts';

/** Names that are the same everywhere. */
const globals: Readonly<Record<string, unknown>> = {
  ...{ Prisma, undefined, Object, String, Number, Boolean, Math, Array, Set, Map, Date, JSON },
  ...{ Uint8Array, Int32Array, Buffer },
};

/** The tag of a statement of Prisma: what it sends is what `Prisma.sql` makes. */
const raw = /^[\w.]+\$(query|execute)Raw(<[^`]*>)?`/;

/** Expressions by parameters. */
export type Given = ReadonlyMap<ts.Node, ts.Node>;

/**
 * Evaluates expressions of the source code where they are, with its constants and functions, without running it. What only a
 * running process has is made up by its type.
 */
export class Evaluation {
  readonly #project: Project;
  readonly samples: TypeSamples;
  #given: Given = new Map();
  /** By declaration. */
  readonly #values = new Map<ts.Node, unknown>();
  /** Values of constants of files, which do not depend on choices. */
  readonly #constants = new Map<ts.Node, unknown>();
  readonly #types = new Map<ts.Node, Type | undefined>();
  readonly #names = new Map<ts.Node, Map<string, Name | undefined>>();

  constructor(project: Project) {
    this.#project = project;
    this.samples = new TypeSamples(project.checker);
  }

  /** Begins anew. @param choices which alternatives are taken. @param given what parameters are */
  begin(choices: readonly number[], given: Given): void {
    this.samples.begin(choices);
    this.#given = given;
    this.#values.clear();
  }

  /** The value of an expression. */
  value(node: ts.Node): unknown {
    const code = node.getText();
    try {
      if (!/\bawait\b/.test(code)) return this.#run(code.replace(raw, 'Prisma.sql`'), node);
    } catch {
      // It needs what only a running process has.
    }
    return ts.isCallExpression(node) && node.expression.getText() === 'rowTable'
      ? this.#run('rowTable(...given)', node, {
          given: node.arguments.map((argument) => this.value(argument)),
        })
      : this.#made(node, code);
  }

  /** A value of the type that something has. */
  #made(node: ts.Node, name: string): unknown {
    if (!this.#types.has(node)) this.#types.set(node, this.#project.checker.getTypeAtLocation(node));
    return this.samples.of(this.#types.get(node), name);
  }

  /** Where a name is declared that is used at a place; undefined outside of the source code. */
  declarationOf(name: string, place: ts.Node): ts.Node | undefined {
    const declaration = this.#symbol(name, place)?.valueDeclaration;
    return declaration === undefined || /\.d\.ts$|\/generated\//.test(declaration.path)
      ? undefined
      : declaration.resolve(this.#project);
  }

  /** Runs code whose names are those at a place. */
  #run(code: string, place: ts.Node, own: Readonly<Record<string, unknown>> = {}): unknown {
    const names = new Proxy(own, {
      has: (_, name) => typeof name === 'string',
      get: (_, name) => {
        if (typeof name === 'symbol') return undefined;
        if (name in own) return own[name];
        return name in globals ? globals[name] : this.#named(name, place);
      },
    });
    return new Function('names', `with (names) { return ${withoutTypes(code)}; }`)(names);
  }

  #named(name: string, place: ts.Node): unknown {
    const node = this.declarationOf(name, place);
    if (node === undefined) {
      const symbol = this.#symbol(name, place);
      return this.samples.of(symbol && this.#project.checker.getTypeOfSymbol(symbol), name);
    }
    for (const known of [this.#constants, this.#values]) if (known.has(node)) return known.get(node);
    const choices = this.samples.sizes.length;
    const value = this.#declared(node, name);
    const isOfFile = ts.isSourceFile(
      ts.isVariableDeclaration(node) ? node.parent.parent.parent : node.parent,
    );
    (isOfFile && choices === this.samples.sizes.length ? this.#constants : this.#values).set(node, value);
    return value;
  }

  #symbol(name: string, place: ts.Node): Name | undefined {
    const names = this.#names.get(place) ?? new Map<string, Name | undefined>();
    this.#names.set(place, names);
    if (!names.has(name)) {
      const found = this.#project.checker.resolveName(name, SymbolFlags.Value, place);
      const isImported = found !== undefined && (found.flags & SymbolFlags.Alias) !== 0;
      names.set(name, isImported ? this.#project.checker.getAliasedSymbol(found) : found);
    }
    return names.get(name);
  }

  #declared(node: ts.Node, name: string): unknown {
    const given = this.#given.get(node);
    if (given !== undefined) return this.value(given);
    if (ts.isFunctionDeclaration(node) && node.body !== undefined)
      return this.#run(node.getText().replace(/^export (default )?/, ''), node.parent);
    if (ts.isVariableDeclaration(node) && (node.parent.flags & ts.NodeFlags.Const) !== 0) {
      if (node.initializer !== undefined) return this.value(node.initializer);
      const loop = node.parent.parent;
      const all = ts.isForOfStatement(loop) ? this.value(loop.expression) : null;
      if (Array.isArray(all)) return this.samples.chosen(all);
    }
    const owner = ts.isBindingElement(node) ? ownerOf(node) : null;
    if (owner !== null && (ts.isVariableDeclaration(owner) || this.#given.has(owner))) {
      if (!this.#values.has(owner)) this.#values.set(owner, this.#declared(owner, name));
      return this.#run(`((${owner.name.getText()}) => ${name})(whole)`, node, {
        whole: this.#values.get(owner),
      });
    }
    return this.#made(node, name);
  }
}

/** What declares a destructured name. */
function ownerOf(node: ts.BindingElement): ts.VariableDeclaration | ts.ParameterDeclaration {
  const { parent } = node.parent;
  return ts.isBindingElement(parent)
    ? ownerOf(parent)
    : (parent as ts.VariableDeclaration | ts.ParameterDeclaration); // Nothing else has a pattern.
}

const plain = new Map<string, string>();

/** An expression as JavaScript. */
function withoutTypes(code: string): string {
  const known = plain.get(code);
  if (known !== undefined) return known;
  const jsc = { parser: { syntax: 'typescript' }, target: 'es2023' } as const;
  const made = transformSync(`(${code})`, { isModule: false, jsc }).code.trim().replace(/;$/, '');
  plain.set(code, made);
  return made;
}
