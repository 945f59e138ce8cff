/** Fields of an object around all records under which vendors list them. */
export const listFields: readonly string[] = ['data', 'vulnerabilities', 'advisories', 'errata'];
