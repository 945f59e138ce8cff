/** Which module's stream a package was built in. `unknown`: in a module, and nothing says which. */
export type ModuleStream =
  | { readonly kind: 'none' }
  | { readonly kind: 'stream'; readonly stream: string }
  | { readonly kind: 'unknown' };

const builtInModule = /\.module[_+]/;
const word = /^[A-Za-z0-9][A-Za-z0-9._+-]{0,99}$/;

/** Whether a release is that of a build in a module: `10.module_el8.6.0+2766+8bf0b7ce`, `4.module+el8.6.0+20623+f0897f98`. */
export function isModularRelease(release: string): boolean {
  return builtInModule.test(release);
}

/** `perl:5.32` of a module's name and stream; null for words that are none. A stream is a word, never a number. */
export function streamOf(name: string, stream: string): string | null {
  return word.test(name) && word.test(stream) ? `${name}:${stream}` : null;
}

/** The stream in the modularity label `name:stream:version:context` of a package, told by its release where it has none. */
export function moduleStreamOf(label: string, release: string): ModuleStream {
  const [name = '', stream = ''] = label.split(':', 2);
  const named = streamOf(name, stream);
  if (named !== null) return { kind: 'stream', stream: named };
  return { kind: isModularRelease(release) ? 'unknown' : 'none' };
}

const streamInTitle =
  /(?:^|[\s,(])([A-Za-z0-9][A-Za-z0-9._+-]{0,99}):([A-Za-z0-9][A-Za-z0-9._+-]{0,99})(?=$|[\s,)/])/g;
const maxTitleCharacters = 2_000;

/**
 * The streams that an update's title names, each once, in their order: `perl:5.32` of "Moderate: perl:5.32 security
 * update", both of "virt:rhel and virt-devel:rhel security update", `httpd:2.4` of "httpd:2.4/mod_http2 security update".
 */
export function streamsInTitle(title: string): readonly string[] {
  const matches = title.slice(0, maxTitleCharacters).matchAll(streamInTitle);
  return [...new Set([...matches].map(([, name, stream]) => `${name}:${stream}`))];
}
