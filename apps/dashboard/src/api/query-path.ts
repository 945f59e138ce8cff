/** Whether a query's path starts with one of `paths`: `/hosts/{id}/plan` starts with `/hosts`. */
export function isBelow(queryPath: unknown, paths: readonly string[]): boolean {
  return typeof queryPath === 'string' && paths.some((path) => queryPath.startsWith(path));
}
