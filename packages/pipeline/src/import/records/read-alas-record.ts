/** The fields of an object, with unchecked values; an empty object for any other value. */
type Fields = Readonly<Record<string, unknown>>;

/**
 * Amazon's ALAS record in the JSON form of an `<update>` that updateinfo parsers read. ALAS has the same
 * content under other names, and no list around a single element. Missing and wrong values are kept: the
 * parser reports them.
 */
export function readAlasRecord(json: unknown): unknown {
  const alas = fieldsOf(json);
  const packageList = fieldsOf(alas['Pkglist']);
  return {
    id: alas['ID'],
    type: alas['Type'],
    status: alas['Status'],
    severity: alas['Severity'],
    title: alas['Title'],
    issued: fieldsOf(alas['Issued'])['Date'],
    updated: fieldsOf(alas['Updated'])['Date'],
    description: alas['Description'],
    references: listOf(fieldsOf(alas['References'])['Reference']).map((reference) => {
      const { Href: href, ID: id, Title: title, Type: type } = fieldsOf(reference);
      return { href, id, title, type };
    }),
    collections: listOf(packageList['Collection']).map((collection) => {
      const { Name: name, Short: short, Package: packages } = fieldsOf(collection);
      return { name, short, module: null, packages: listOf(packages).map(readPackage) };
    }),
  };
}

function readPackage(json: unknown): unknown {
  const {
    Name: name,
    Epoch: epoch,
    Version: version,
    Release: release,
    Arch: arch,
    Src: src,
  } = fieldsOf(json);
  return { name, epoch, version, release, arch, src, rebootSuggested: false };
}

function fieldsOf(value: unknown): Fields {
  return typeof value === 'object' && value !== null ? (value as Fields) : {}; // Checked; a list has no such names.
}

function listOf(value: unknown): readonly unknown[] {
  if (value === undefined || value === null) return [];
  return Array.isArray(value) ? value : [value];
}
