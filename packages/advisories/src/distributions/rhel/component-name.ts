import { streamOf } from '../../rpm/module-stream.ts';
import { isRpmPackageName } from '../../rpm/package-name.ts';

/** `perl:5.32/perl-libs` is a package of a module stream. */
const moduleForm = /^([^:/]{1,100}):([^:/]{1,100})\/([^:/]{1,200})$/;
const sourceSuffix = '.src';

/** A source rpm, from Red Hat's name of a component. */
export interface NamedComponent {
  readonly name: string;
  /** `perl:5.32`; empty: outside modules. */
  readonly module: string;
}

/**
 * Reads Red Hat's name of a component without a fix: `openssl`, `curl.src`, `perl:5.32/perl-libs`. `image`: a container
 * image, such as `rhel9/ruby-33`. `invalid`: no name of an rpm.
 */
export function readComponentName(text: string): NamedComponent | 'image' | 'invalid' {
  const [, moduleName = '', stream = '', inModule] = moduleForm.exec(text) ?? [];
  const module = inModule === undefined ? '' : streamOf(moduleName, stream);
  const full = inModule ?? text;
  const name = full.endsWith(sourceSuffix) ? full.slice(0, -sourceSuffix.length) : full;
  if (module !== null && isRpmPackageName(name)) return { name, module };
  return text.includes('/') ? 'image' : 'invalid';
}
