/** Search parameters of a page's address: optional text. */
export type TextSearch<Name extends string> = { readonly [K in Name]?: string };

/** Keeps the named parameters of a page's address and drops all others. */
export function textSearch<const Name extends string>(...names: readonly Name[]) {
  return (search: Readonly<Record<string, unknown>>): TextSearch<Name> =>
    Object.fromEntries(
      names.flatMap((name) => {
        const value = search[name];
        // The router parses `true` and `12`; String() restores their text.
        const text = ['string', 'boolean', 'number'].includes(typeof value) ? String(value) : '';
        return text === '' ? [] : [[name, text]];
      }),
    ) as TextSearch<Name>; // built from these names only
}

/** A path within the dashboard to return to; null for an address that leads elsewhere. */
export function placeWithin(place: string | undefined): string | null {
  return place !== undefined && /^\/(?![/\\])/.test(place) ? place : null;
}
