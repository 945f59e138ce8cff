/** A browser that follows redirects and keeps cookies, apart for each origin. */
export interface Browser {
  /** Requests a page and follows redirects up to the first answer that is none, or to a page below `stopAt`. */
  open(url: string, options?: { readonly stopAt?: string }): Promise<BrowserPage>;
  /** The cookies of an origin by name. */
  cookies(origin: string): ReadonlyMap<string, string>;
  /** `Set-Cookie` headers in the order received. */
  readonly received: readonly string[];
}

/** Where a browser has arrived. */
export interface BrowserPage {
  readonly url: URL;
  /** Null: not requested, because it is below `stopAt`. */
  readonly status: number | null;
  /** All addresses of the way, the last one included. */
  readonly way: readonly string[];
}

const mostRedirects = 12;

/** A browser without cookies. */
export function createBrowser(): Browser {
  const jars = new Map<string, Map<string, string>>();
  const received: string[] = [];
  const jarOf = (origin: string) => {
    const jar = jars.get(origin) ?? new Map<string, string>();
    jars.set(origin, jar);
    return jar;
  };
  return {
    received,
    cookies: jarOf,
    async open(start, { stopAt } = {}) {
      const way: string[] = [];
      let url = new URL(start);
      for (let n = 0; n < mostRedirects; n += 1) {
        way.push(url.href);
        if (stopAt !== undefined && url.href.startsWith(stopAt)) return { url, status: null, way };
        const jar = jarOf(url.origin);
        const cookie = [...jar].map(([name, value]) => `${name}=${value}`).join('; ');
        const answer = await fetch(url, { redirect: 'manual', headers: cookie === '' ? {} : { cookie } });
        await answer.arrayBuffer();
        for (const line of answer.headers.getSetCookie()) {
          received.push(line);
          keep(jar, line);
        }
        const location = answer.headers.get('location');
        if (location === null) return { url, status: answer.status, way };
        url = new URL(location, url);
      }
      throw new Error(`too many redirects: ${way.join(' ')}`);
    },
  };
}

function keep(jar: Map<string, string>, line: string): void {
  const [, name = '', value = ''] = /^([^=]+)=([^;]*)/.exec(line) ?? [];
  const isGone = /;\s*max-age=0\b/i.test(line) || /;\s*expires=Thu, 01 Jan 1970/i.test(line);
  if (isGone) jar.delete(name);
  else jar.set(name, value);
}
