/** Escapes a text for LIKE, ILIKE and Prisma's `startsWith`, so that it matches literally. */
export function likeLiteral(text: string): string {
  return text.replace(/[\\%_]/g, '\\$&');
}
