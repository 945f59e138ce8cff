import type { JsonObject } from '@plimsoll/model';
import { fieldOf, type JsonFieldReader, listOf, objectOf } from '../json-fields.ts';

const maxIdCharacters = 1_000;
/** The largest product trees of Red Hat's VEX have some ten thousand products. */
const maxProducts = 1_000_000;
/** CSAF allows 30 levels (CSAF 2.0, 3.1.2). */
const maxDepth = 30;
/** A package in a module in a product has two relationships. */
const maxSteps = 4;

/** The identification of a product by its publisher. Each is empty if not stated. */
export interface ProductHelper {
  readonly cpe: string;
  readonly purl: string;
}

/** A product of a CSAF document, from the platform to the component. */
export interface CsafProduct {
  /** The platform's CPE, `cpe:/a:redhat:rhel_eus:9.4::appstream`. */
  readonly cpe: string;
  /** Its components, the innermost one last: a module, then a package of it. Empty: the platform itself. */
  readonly components: readonly { readonly id: string; readonly purl: string }[];
}

/**
 * Finds a product of a document by its id; null if the document does not state its platform and component.
 */
export type FindProduct = (productId: string) => CsafProduct | null;

/** A product that is a component of another, or installed on it: their ids. */
export interface Component {
  readonly component: string;
  readonly platform: string;
}

/**
 * The products of a CSAF document's `product_tree` (CSAF 2.0, 3.2.2): branches identify platforms by CPE and
 * components by purl, relationships combine them to products.
 */
export function readProductTree(document: JsonObject, fields: JsonFieldReader): FindProduct {
  const tree = fields.object(document, 'product_tree', '');
  const listed = fields.list(tree, 'relationships', maxProducts, '/product_tree');
  const { helpers, components } = productsIn(tree, listed);
  return (productId) => productOf(productId, helpers, components);
}

/** What a document's `product_tree` says of each product id. */
export interface CsafProducts {
  readonly helpers: ReadonlyMap<string, ProductHelper>;
  /** Products that are combined of two. */
  readonly components: ReadonlyMap<string, Component>;
}

/** The products of a document; entries of a wrong form are left out. */
export function collectProducts(document: JsonObject): CsafProducts {
  const tree = objectOf(fieldOf(document, 'product_tree')) ?? {};
  return productsIn(tree, listOf(fieldOf(tree, 'relationships')).slice(0, maxProducts));
}

function productsIn(tree: JsonObject, relationships: readonly unknown[]): CsafProducts {
  const helpers = new Map<string, ProductHelper>();
  collectHelpers(fieldOf(tree, 'branches'), helpers, 0);
  for (const value of listOf(fieldOf(tree, 'full_product_names')).slice(0, maxProducts))
    addHelper(objectOf(value), helpers);
  const components = new Map<string, Component>();
  for (const value of relationships) {
    const relationship = objectOf(value);
    if (relationship === null) continue;
    const name = objectOf(fieldOf(relationship, 'full_product_name'));
    const id = name === null ? null : idIn(name, 'product_id');
    const component = idIn(relationship, 'product_reference');
    const platform = idIn(relationship, 'relates_to_product_reference');
    if (id !== null && component !== null && platform !== null) components.set(id, { component, platform });
  }
  return { helpers, components };
}

function productOf(
  productId: string,
  helpers: ReadonlyMap<string, ProductHelper>,
  components: ReadonlyMap<string, Component>,
): CsafProduct | null {
  const found: { readonly id: string; readonly purl: string }[] = [];
  let at = productId;
  for (let steps = 0; steps < maxSteps; steps++) {
    const step = components.get(at);
    if (step === undefined) break;
    found.unshift({ id: step.component, purl: helpers.get(step.component)?.purl ?? '' });
    at = step.platform;
  }
  const { cpe = '' } = helpers.get(at) ?? {};
  return cpe === '' ? null : { cpe, components: found };
}

/** Deeper branches than CSAF allows are ignored. */
function collectHelpers(branches: unknown, helpers: Map<string, ProductHelper>, depth: number): void {
  if (!Array.isArray(branches) || depth > maxDepth) return;
  for (const value of branches) {
    const branch = objectOf(value);
    if (branch === null) continue;
    addHelper(objectOf(fieldOf(branch, 'product')), helpers);
    collectHelpers(fieldOf(branch, 'branches'), helpers, depth + 1);
  }
}

function addHelper(product: JsonObject | null, helpers: Map<string, ProductHelper>): void {
  const id = product === null ? null : idIn(product, 'product_id');
  const helper = product === null ? null : objectOf(fieldOf(product, 'product_identification_helper'));
  if (id !== null && helper !== null && helpers.size < maxProducts)
    helpers.set(id, { cpe: idIn(helper, 'cpe') ?? '', purl: idIn(helper, 'purl') ?? '' });
}

function idIn(object: JsonObject, key: string): string | null {
  const value = fieldOf(object, key);
  return typeof value === 'string' && value !== '' && value.length <= maxIdCharacters ? value : null;
}
