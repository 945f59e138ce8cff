import * as ts from 'typescript/unstable/ast';

/** A call that sends SQL, or one of a function that does. */
export type Call = ts.CallExpression | ts.TaggedTemplateExpression;

/** In source files that send SQL. */
export const sends = /\.query\b|\$\w+Raw\b/;

/** A function that others can call. */
export interface NamedFunction {
  readonly name: string;
  /** Its declaration. */
  readonly node: ts.Node;
  readonly parameters: readonly ts.ParameterDeclaration[];
}

/** The function with a name and parameters around a node; null without one. */
export function functionAround({ parent: node }: ts.Node): NamedFunction | null {
  if (ts.isSourceFile(node)) return null;
  const isConstant = ts.isArrowFunction(node) && ts.isVariableDeclaration(node.parent);
  const declaration = isConstant ? node.parent : ts.isFunctionDeclaration(node) ? node : null;
  const name = declaration !== null && 'name' in declaration ? declaration.name : undefined;
  if (declaration === null || name === undefined || !('parameters' in node)) return functionAround(node);
  const parameters = node.parameters as readonly ts.ParameterDeclaration[]; // Of a function.
  return parameters.length === 0 ? null : { name: name.getText(), node: declaration, parameters };
}

/** Whether a call is in a method `query`, whose calls are statements. */
export function isDoor({ parent }: ts.Node): boolean {
  if (ts.isSourceFile(parent)) return false;
  return (ts.isPropertyAssignment(parent) && parent.name.getText() === 'query') || isDoor(parent);
}

/** Whether nothing reads the rows of a call. */
export function isUnread({ parent }: ts.Node): boolean {
  if (ts.isAwaitExpression(parent) || ts.isParenthesizedExpression(parent)) return isUnread(parent);
  if (ts.isPropertyAccessExpression(parent)) return parent.name.text === 'rowCount';
  return (
    ts.isExpressionStatement(parent) ||
    (ts.isVariableDeclaration(parent) && parent.name.getText() === '{ rowCount }')
  );
}
