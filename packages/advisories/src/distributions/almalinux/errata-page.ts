/** AlmaLinux' errata site. The page of an erratum is below its major release, which the id does not contain. */
const site = 'https://errata.almalinux.org/';

/** Returns a page that finds an erratum. */
export function errataPage(id: string): string {
  return `${site}?search=${encodeURIComponent(id)}`;
}
