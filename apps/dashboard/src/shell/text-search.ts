/** The parameters of a page's address, all of them text that may be missing. */
export type TextSearch<Name extends string> = { readonly [K in Name]?: string };

/** Takes the named parameters of a page's address and leaves out all others. */
export function textSearch<const Name extends string>(...names: readonly Name[]) {
  return (search: Readonly<Record<string, unknown>>): TextSearch<Name> =>
    Object.fromEntries(
      names.flatMap((name) => {
        const value = search[name];
        // The router takes `true` and `12` for more than text; as text they are what stood in the address.
        const text = ['string', 'boolean', 'number'].includes(typeof value) ? String(value) : '';
        return text === '' ? [] : [[name, text]];
      }),
    ) as TextSearch<Name>; // built of these names alone
}

/** A place within the dashboard to go back to; null for anything that leads elsewhere. */
export function placeWithin(place: string | undefined): string | null {
  return place !== undefined && /^\/(?![/\\])/.test(place) ? place : null;
}
