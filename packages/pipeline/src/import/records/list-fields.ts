/** Names of the fields under which vendors list the records in an object around them. */
export const listFields: readonly string[] = ['data', 'vulnerabilities', 'advisories', 'errata'];
