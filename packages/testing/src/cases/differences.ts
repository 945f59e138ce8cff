/** Operators of an expected part: an object with exactly one of them as its field. */
const operators: Readonly<Record<string, (operand: unknown, actual: unknown) => boolean>> = {
  $not: (operand, actual) => !matches(operand, actual),
  $none: (operand, actual) => Array.isArray(actual) && !actual.some((item) => matches(operand, item)),
  $oneOf: (operand, actual) => Array.isArray(operand) && operand.some((choice) => matches(choice, actual)),
  $exactly: (operand, actual) =>
    Array.isArray(operand) &&
    Array.isArray(actual) &&
    operand.length === actual.length &&
    operand.every((part, index) => matches(part, actual[index])),
  $contains: (operand, actual) =>
    typeof operand === 'string' &&
    (typeof actual === 'string' ? actual : (JSON.stringify(actual) ?? '')).includes(operand),
};

/**
 * Where a JSON value lacks an expected part, as lines `place: expected …, is …`; empty if it has all of it. An object needs the
 * named fields, an array an item for each expected one, in any order; docs/accuracy.md lists the operators.
 */
export function differences(expected: unknown, actual: unknown, place = ''): readonly string[] {
  const operator = operatorOf(expected);
  const shown = `${place === '' ? 'answer' : place}: expected ${text(expected)}, is ${text(actual)}`;
  if (operator !== null) return operator(actual) ? [] : [shown];
  if (Array.isArray(expected)) {
    if (!Array.isArray(actual)) return [shown];
    return expected
      .filter((part) => !actual.some((item) => matches(part, item)))
      .map((part) => `${place}: no item is ${text(part)} in ${text(actual)}`);
  }
  if (typeof expected !== 'object' || expected === null) return Object.is(expected, actual) ? [] : [shown];
  if (typeof actual !== 'object' || actual === null) return [shown];
  const fields = new Map(Object.entries(actual));
  return Object.entries(expected).flatMap(([name, part]) =>
    differences(part, fields.get(name), place === '' ? name : `${place}.${name}`),
  );
}

function matches(expected: unknown, actual: unknown): boolean {
  return differences(expected, actual).length === 0;
}

function operatorOf(expected: unknown): ((actual: unknown) => boolean) | null {
  const [first, ...others] = Object.entries(expected ?? {});
  if (first === undefined || others.length > 0 || !first[0].startsWith('$')) return null;
  const [name, operand] = first;
  const operator = operators[name];
  if (operator === undefined) throw new Error(`unknown operator ${name}`);
  return (actual) => operator(operand, actual);
}

function text(value: unknown): string {
  const json = JSON.stringify(value) ?? 'missing';
  return json.length > 600 ? `${json.slice(0, 600)}…` : json;
}
