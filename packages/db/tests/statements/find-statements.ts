import { existsSync, readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import * as ts from 'typescript/unstable/ast';
import { API, type Project, type Type, TypeFlags, type TypeReference } from 'typescript/unstable/sync';
import { type Call, functionAround, isDoor, isUnread, type NamedFunction, sends } from './calls.ts';
import { Evaluation, type Given } from './evaluation.ts';
import { unknownPart } from './type-samples.ts';

const root = path.resolve(__dirname, '../../../..');
/** Of the compiler, which Jest does not find by itself. */
const platform = `@typescript/typescript-${process.platform}-${process.arch}`;
/** A project of the files with statements and what they import. It is not on disk. */
const configFile = path.join(root, 'statements.tsconfig.json');
/** Packages for tests only, and the queue, whose tables are those of its library. */
const otherPackages = ['testing', 'loadtest', 'queue'];
/** In how many steps of callers a text is looked for. */
const mostCallers = 3;
/** How many texts of one call are looked at: of a list with every filter, each filter is among them. */
const mostVariants = 80;

/** SQL that the source code sends, with the values of its parameters and the type of its rows. */
export interface Statement {
  /** File and line. */
  readonly where: string;
  readonly text: string;
  /** Null if their number is not known. */
  readonly values: readonly unknown[] | null;
  /** Null if it has none; `unread`: the rows are not read. */
  readonly row: Type | 'unread' | null;
  /** What reads its rows. */
  readonly drivers: readonly ('pg' | 'prisma')[];
}

/** The statements in the source code of the product. */
export class SourceCode {
  readonly project: Project;
  readonly statements: Statement[] = [];
  /** Calls whose SQL is not known before they run, with the part that is not. */
  readonly unknown: { readonly where: string; readonly part: string }[] = [];
  readonly #api: API;
  readonly #evaluation: Evaluation;
  /** The texts of the source files. */
  readonly #files = new Map(productFiles().map((file) => [file, readFileSync(file, 'utf8')]));

  constructor() {
    const files = [...this.#files].flatMap(([file, text]) => (sends.test(text) ? [file] : []));
    const config = { extends: './tsconfig.json', include: [], files, compilerOptions: { types: ['node'] } };
    this.#api = new API({
      cwd: root,
      tsserverPath: path.join(root, 'node_modules', platform, 'lib/tsc'),
      fs: {
        readFile: (file) => (file === configFile ? JSON.stringify(config) : undefined),
        fileExists: (file) => (file === configFile ? true : undefined),
      },
    });
    const [project] = this.#api.updateSnapshot({ openProjects: [configFile] }).getProjects();
    if (project === undefined) throw new Error('no source file has a statement');
    this.project = project;
    this.#evaluation = new Evaluation(project);
    for (const call of this.#calls(sends, (called) => /\.(query|\$(query|execute)Raw)$/.test(called))) {
      const part = isDoor(call) ? null : this.#take(call, [], new Map());
      if (part !== null) this.unknown.push({ where: whereIs(call), part });
    }
  }

  close(): void {
    this.#api.close();
  }

  /** The calls of functions, in files with a word. */
  *#calls(word: RegExp, isWanted: (called: string) => boolean): Iterable<Call> {
    for (const [file, text] of this.#files) {
      const found: Call[] = [];
      const visit = (node: ts.Node): void => {
        const called = ts.isCallExpression(node)
          ? node.expression
          : ts.isTaggedTemplateExpression(node)
            ? node.tag
            : null;
        if (called !== null && isWanted(called.getText())) found.push(node as Call); // A node with either has them.
        node.forEachChild(visit);
      };
      if (word.test(text)) this.project.program.getSourceFile(file)?.forEachChild(visit);
      yield* found;
    }
  }

  /**
   * Adds the statements of a call; returns the part of them that is not known, or null.
   * @param callers the calls through which its function was reached, the outermost one first
   */
  #take(call: Call, callers: readonly ts.CallExpression[], given: Given): string | null {
    const outer = callers[0] ?? call;
    const texts = this.#texts(call, given);
    const part = texts.size === 0 ? 'all' : [...texts.keys()].map(unknownPart).find((each) => each !== null);
    if (part === undefined) {
      const row: Statement['row'] = this.#row(call, callers) ?? (isUnread(call) ? 'unread' : null);
      const known = { where: whereIs(outer), row, drivers: this.#drivers(call) };
      for (const [text, values] of texts) this.statements.push({ ...known, text, values });
      return null;
    }
    const around = functionAround(outer);
    const found = around === null || callers.length === mostCallers ? [] : [...this.#callersOf(around)];
    const parts = found.map((caller) => {
      const expressions = around?.parameters.map(
        (parameter, n) => [parameter, caller.arguments[n] ?? parameter.initializer] as const,
      );
      const inner = new Map(given);
      for (const [parameter, expression] of expressions ?? [])
        if (expression !== undefined) inner.set(parameter, expression);
      return this.#take(call, [caller, ...callers], inner);
    });
    return found.length === 0 ? part : (parts.find((each) => each !== null) ?? null);
  }

  /** The texts that a call can send, with their values. */
  #texts(call: Call, given: Given): ReadonlyMap<string, Statement['values']> {
    const texts = new Map<string, Statement['values']>();
    const variants: (readonly number[])[] = [[]];
    for (let n = 0; n < Math.min(variants.length, mostVariants); n += 1) {
      const choices = variants[n] ?? [];
      this.#evaluation.begin(choices, given);
      const [first, second] = ts.isCallExpression(call) ? call.arguments : [call];
      const sent = first && this.#evaluation.value(first);
      const { sizes } = this.#evaluation.samples;
      // Each alternative, and each pair of them.
      if (choices.filter((choice) => choice > 0).length < 2)
        for (const [at, size] of sizes.entries())
          for (let other = 1; at >= choices.length && other < size; other += 1)
            variants.push([...Array.from({ length: at }, (_, index) => choices[index] ?? 0), other]);
      const isWhole = typeof sent === 'object' && sent !== null && 'text' in sent;
      const values = isWhole
        ? 'values' in sent
          ? sent.values
          : []
        : second === undefined
          ? []
          : this.#evaluation.value(second);
      const isCounted = Array.isArray(values) && !this.#evaluation.samples.isMade(values);
      if (sent !== undefined) texts.set(String(isWhole ? sent.text : sent), isCounted ? values : null);
    }
    return texts;
  }

  /** The type of the rows of a call, or of those of the function around it that takes any type of them. */
  #row(call: Call, callers: readonly ts.CallExpression[]): Type | null {
    const { checker } = this.project;
    const entry = (type: Type | undefined) =>
      type !== undefined && checker.isArrayType(type)
        ? checker.getTypeArguments(type as TypeReference)[0]
        : type;
    const named = ({ typeArguments }: Call) =>
      entry(typeArguments?.[0] && checker.getTypeFromTypeNode(typeArguments[0]));
    const own = named(call);
    const caller = callers.at(-1);
    if (
      own === undefined ||
      caller === undefined ||
      (own.flags & (TypeFlags.TypeParameter | TypeFlags.Unknown)) === 0
    )
      return own ?? null;
    const promise = checker.getTypeAtLocation(caller);
    return named(caller) ?? entry(promise && checker.getTypeArguments(promise as TypeReference)[0]) ?? null;
  }

  #drivers(call: Call): Statement['drivers'] {
    const callee = ts.isCallExpression(call) ? call.expression : call.tag;
    if (!ts.isPropertyAccessExpression(callee) || callee.name.text.startsWith('$')) return ['prisma'];
    const receiver = this.project.checker.getTypeAtLocation(callee.expression)?.getSymbol()?.name;
    return receiver === 'Statements' ? ['pg', 'prisma'] : ['pg'];
  }

  /** The calls of a function from others. */
  *#callersOf({ name, node }: NamedFunction): Iterable<ts.CallExpression> {
    for (const call of this.#calls(new RegExp(`\\b${name}\\b`), (called) => called === name)) {
      const isOther = functionAround(call)?.node !== node;
      if (isOther && ts.isCallExpression(call) && this.#evaluation.declarationOf(name, call) === node)
        yield call;
    }
  }
}

function productFiles(): readonly string[] {
  const folders = ['apps', 'packages'].flatMap((group) =>
    readdirSync(path.join(root, group)).flatMap((name) =>
      otherPackages.includes(name) ? [] : [path.join(root, group, name, 'src')],
    ),
  );
  return folders.filter(existsSync).flatMap((folder) =>
    readdirSync(folder, { encoding: 'utf8', recursive: true })
      .filter((file) => file.endsWith('.ts') && !file.startsWith('generated'))
      .map((file) => path.join(folder, file)),
  );
}

function whereIs(node: ts.Node): string {
  const source = node.getSourceFile();
  const { line } = source.getLineAndCharacterOfPosition(node.getStart());
  return `${path.relative(root, source.fileName)}:${line + 1}`;
}
