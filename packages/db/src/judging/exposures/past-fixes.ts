/** A time span in milliseconds since 1970, without its end. */
export interface Span {
  readonly from: number;
  readonly until: number;
}

/** A statement and the time span in which it affected the version that a host had then. In milliseconds since 1970. */
export interface Stated extends Span {
  readonly statementId: number;
  /** Infinite: it goes on. */
  readonly until: number;
  /** Whether it names a version with the fix, as is known last. */
  readonly hasFix: boolean;
  /** The CVEs that were open on the version, as is known last. */
  readonly cves: readonly string[];
  /** Whether these are only some of those of the statement. */
  readonly isNarrowed: boolean;
}

/** A time span in which it is known whether a statement named a fix. */
export interface PastFix extends Span {
  readonly hasFix: boolean;
}

/**
 * When the statement that affected an exposure then named a fix and is known not to name one last, or the reverse, as was
 * known then; in ascending order.
 * @param pastOf the past contents of a statement, as of loadPastContents
 */
export function otherFixSpans(
  {
    stated,
    hasFix,
  }: {
    readonly stated: readonly Omit<Stated, 'cves' | 'isNarrowed'>[];
    readonly hasFix: boolean;
  },
  pastOf: (statementId: number) => readonly PastFix[],
): readonly Span[] {
  if (stated.every((one) => one.hasFix === hasFix && pastOf(one.statementId).length === 0)) return [];
  const found: { from: number; until: number }[] = [];
  const add = (from: number, until: number, had: boolean) => {
    if (had === hasFix || from >= until) return;
    const last = found.at(-1);
    if (last?.until === from) last.until = until;
    else found.push({ from, until });
  };
  for (const one of [...stated].sort((a, b) => a.from - b.from)) {
    let from = one.from;
    for (const past of pastOf(one.statementId)) {
      const until = Math.min(past.until, one.until);
      add(from, until, past.hasFix);
      from = Math.max(from, until);
    }
    add(from, one.until, one.hasFix);
  }
  return found;
}

/** What is left of time spans without others; both in ascending order. */
export function withoutSpans(spans: readonly Span[], others: readonly Span[]): readonly Span[] {
  return spans.flatMap(({ from, until }) => {
    const left: Span[] = [];
    let at = from;
    for (const other of others) {
      if (other.from > at) left.push({ from: at, until: Math.min(other.from, until) });
      at = Math.max(at, other.until);
      if (at >= until) break;
    }
    if (at < until) left.push({ from: at, until });
    return left.filter((span) => span.from < span.until);
  });
}
