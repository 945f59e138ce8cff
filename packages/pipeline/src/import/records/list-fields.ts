/** Names of the fields under which vendors list the records in an object around them. */
export const listFields: readonly string[] = ['data', 'vulnerabilities', 'advisories', 'errata', 'releases'];

/** Fields before such a list which show that the object itself is one record: a CSAF document. */
export const documentFields: readonly string[] = ['document', 'product_tree'];
