/** The JSON of a value, in parts that several places of an answer can share. */
export class JsonText<out Value> {
  /** One after the other, not joined: an answer is written from them at once. None is empty. */
  readonly texts: readonly string[];
  /** Never set: makes texts of other types differ. */
  declare readonly of?: Value;

  private constructor(texts: readonly string[]) {
    this.texts = texts;
  }

  /** As JSON.stringify writes it. */
  static of<Value extends object>(value: Value): JsonText<Value> {
    return new JsonText([JSON.stringify(value)]);
  }

  static list<Value>(values: readonly JsonText<Value>[]): JsonText<Value[]> {
    const texts = values.flatMap((value, n) => (n === 0 ? value.texts : [',', ...value.texts]));
    return new JsonText(['[', ...texts, ']']);
  }

  /** An object with the fields of another one, which lacks the name, and one more behind them. */
  static with<Before extends object, Name extends string, Value>(
    before: Before,
    name: Name,
    value: JsonText<Value>,
  ): JsonText<Before & Readonly<Record<Name, Value>>> {
    const fields = JSON.stringify(before).slice(0, -1);
    const start = `${fields}${fields === '{' ? '' : ','}${JSON.stringify(name)}:`;
    return new JsonText([start, ...value.texts, '}']);
  }
}
