/** Where AlmaLinux shows its errata; the page of one is under its major release, which its id does not name. */
const site = 'https://errata.almalinux.org/';

/** The page on which an erratum can be looked up. */
export function errataPage(id: string): string {
  return `${site}?search=${encodeURIComponent(id)}`;
}
