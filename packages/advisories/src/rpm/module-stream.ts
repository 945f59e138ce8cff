/** The module stream a package was built in. `unknown`: built in a module that is not named. */
export type ModuleStream =
  | { readonly kind: 'none' }
  | { readonly kind: 'stream'; readonly stream: string }
  | { readonly kind: 'unknown' };

const builtInModule = /\.module[_+]/;
const word = /^[A-Za-z0-9][A-Za-z0-9._+-]{0,99}$/;

/**
 * Whether an rpm release marks a module build: `10.module_el8.6.0+2766+8bf0b7ce`, `4.module+el8.6.0+20623+f0897f98`.
 */
export function isModularRelease(release: string): boolean {
  return builtInModule.test(release);
}

/** `perl:5.32` from a module's name and stream; null if either is invalid. A stream is text, never a number. */
export function streamOf(name: string, stream: string): string | null {
  return word.test(name) && word.test(stream) ? `${name}:${stream}` : null;
}

/**
 * The stream in a package's modularity label `name:stream:version:context`; without a label the rpm release shows
 * whether it is a module build.
 */
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
 * The distinct streams in an update's title, in order: `perl:5.32` of "Moderate: perl:5.32 security update", both of
 * "virt:rhel and virt-devel:rhel security update", `httpd:2.4` of "httpd:2.4/mod_http2 security update".
 */
export function streamsInTitle(title: string): readonly string[] {
  const matches = title.slice(0, maxTitleCharacters).matchAll(streamInTitle);
  return [...new Set([...matches].map(([, name, stream]) => `${name}:${stream}`))];
}
