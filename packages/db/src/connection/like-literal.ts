/** A text as a pattern of LIKE, ILIKE and Prisma's `startsWith` that matches it alone. */
export function likeLiteral(text: string): string {
  return text.replace(/[\\%_]/g, '\\$&');
}
