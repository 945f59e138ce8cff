/** Characters of a text or an attribute that are kept; only the start of long descriptions is useful. */
const maxCharacters = 64 * 1024;

type Attributes = Readonly<Record<string, string>>;

interface CollectionParts {
  name: string | null;
  readonly short: string | null;
  module: object | null;
  readonly packages: PackageParts[];
}

interface PackageParts {
  readonly name: string | null;
  readonly epoch: string | null;
  readonly version: string | null;
  readonly release: string | null;
  readonly arch: string | null;
  readonly src: string | null;
  rebootSuggested: boolean;
}

/** Builds the plain JSON of one `<update>` of an updateinfo.xml from the events inside it. */
export class UpdateBuilder {
  private readonly attributes: Attributes;
  private readonly texts = new Map<string, string>();
  private readonly references: object[] = [];
  private readonly collections: CollectionParts[] = [];
  private rebootSuggested = false;

  /** @param attributes of the `<update>` itself. */
  constructor(attributes: Attributes) {
    this.attributes = attributes;
  }

  /** The text of `<id>` so far; null before it. */
  get id(): string | null {
    return this.texts.get('id') ?? null;
  }

  /** Handles the start of an element. @param path of names below `<update>`, joined by "/". */
  open(path: string, attributes: Attributes): void {
    const collection = this.collections.at(-1);
    switch (path) {
      case 'issued':
      case 'updated':
        if (attributes['date'] !== undefined) this.texts.set(path, textOf(attributes, 'date') ?? '');
        break;
      case 'reboot_suggested':
        this.rebootSuggested = true;
        break;
      case 'references/reference':
        this.references.push({
          href: textOf(attributes, 'href'),
          id: textOf(attributes, 'id'),
          title: textOf(attributes, 'title'),
          type: textOf(attributes, 'type'),
        });
        break;
      case 'pkglist/collection':
        this.collections.push({ name: null, short: textOf(attributes, 'short'), module: null, packages: [] });
        break;
      case 'pkglist/collection/module':
        if (collection !== undefined) {
          collection.module = {
            name: textOf(attributes, 'name'),
            stream: textOf(attributes, 'stream'),
            version: textOf(attributes, 'version'),
            context: textOf(attributes, 'context'),
            arch: textOf(attributes, 'arch'),
          };
        }
        break;
      case 'pkglist/collection/package':
        collection?.packages.push({
          name: textOf(attributes, 'name'),
          epoch: textOf(attributes, 'epoch'),
          version: textOf(attributes, 'version'),
          release: textOf(attributes, 'release'),
          arch: textOf(attributes, 'arch'),
          src: textOf(attributes, 'src'),
          rebootSuggested: false,
        });
        break;
      case 'pkglist/collection/package/reboot_suggested': {
        const last = collection?.packages.at(-1);
        if (last !== undefined) last.rebootSuggested = true;
        break;
      }
      default:
    }
  }

  /** Adds text inside the element at `path`, whole or in part. */
  text(path: string, text: string): void {
    if (path === 'pkglist/collection/name') {
      const collection = this.collections.at(-1);
      if (collection !== undefined)
        collection.name = `${collection.name ?? ''}${text}`.slice(0, maxCharacters);
    } else if (textElements.has(path)) {
      this.texts.set(path, `${this.texts.get(path) ?? ''}${text}`.slice(0, maxCharacters));
    } else if (/reboot_suggested$/.test(path) && /^(?:0|false|no)$/i.test(text.trim())) {
      const last = this.collections.at(-1)?.packages.at(-1);
      if (path === 'reboot_suggested') this.rebootSuggested = false;
      else if (last !== undefined) last.rebootSuggested = false;
    }
  }

  /** The update's content, unchecked; missing parts are null. */
  build(): object {
    const text = (path: string) => this.texts.get(path)?.trim() ?? null;
    return {
      id: text('id'),
      type: textOf(this.attributes, 'type'),
      status: textOf(this.attributes, 'status'),
      severity: text('severity'),
      title: text('title'),
      release: text('release'),
      issued: text('issued'),
      updated: text('updated'),
      description: text('description') ?? text('summary'),
      rebootSuggested: this.rebootSuggested,
      references: this.references,
      collections: this.collections.map((collection) => ({
        ...collection,
        name: collection.name?.trim() ?? null,
      })),
    };
  }
}

const textElements: ReadonlySet<string> = new Set([
  'id',
  'title',
  'severity',
  'release',
  'description',
  'summary',
  'issued',
  'updated',
]);

function textOf(attributes: Attributes, name: string): string | null {
  const value = attributes[name];
  // Prototypes have no texts under these names, and the reader's attributes have no prototype.
  return value === undefined ? null : value.slice(0, maxCharacters).trim();
}
