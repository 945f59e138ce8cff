/** The properties that are not undefined: what a request gives. */
export function given<Values extends object>(
  values: Values,
): { readonly [Name in keyof Values]?: Exclude<Values[Name], undefined> } {
  const entries = Object.entries(values).filter(([, value]) => value !== undefined);
  return Object.fromEntries(entries) as ReturnType<typeof given<Values>>; // its own properties
}
