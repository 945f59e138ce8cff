/** The steps of an axis from 0: equal round distances, the last one at or above `most`. */
export function stepsTo(most: number, count = 4): readonly number[] {
  const rough = Math.max(most, 1) / count;
  const power = 10 ** Math.floor(Math.log10(rough));
  const step = Math.max(1, [1, 2, 5, 10].map((n) => n * power).find((each) => each >= rough) ?? 10 * power);
  const steps = [0];
  while ((steps.at(-1) ?? 0) < most) steps.push((steps.at(-1) ?? 0) + step);
  return steps.length === 1 ? [0, step] : steps;
}

/** Up to `count` of the values at equal distances, with the first and the last one. */
export function someOf<Value>(values: readonly Value[], count: number): readonly Value[] {
  if (values.length <= count) return values;
  const distance = (values.length - 1) / (count - 1);
  return Array.from({ length: count }, (_, n) => values[Math.round(n * distance)]).filter(
    (value) => value !== undefined,
  );
}
