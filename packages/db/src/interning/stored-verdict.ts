import {
  type ComparableVerdict,
  type ExcludedVerdict,
  type KernelImage,
  type KernelPart,
  type UnknownVerdict,
  unknownReasons,
  type Verdict,
} from '@plimsoll/model';
import {
  type Check,
  either,
  isFlag,
  isText,
  missingOr,
  nullOr,
  objectOf,
  wordOf,
} from '../snapshots/json-checks.ts';

/**
 * Parses the verdict that is stored with a package version, as any version of the service wrote it. Throws on anything
 * else.
 */
export function readVerdict(stored: unknown): Verdict {
  if (isVerdict(stored)) return stored;
  // The first version wrote neither module nor line.
  const completed = typeof stored === 'object' ? { module: '', line: '', ...stored } : stored;
  if (isVerdict(completed)) return completed;
  throw new Error(`A stored verdict cannot be read: ${JSON.stringify(stored)?.slice(0, 200)}`);
}

const kernelFields = { release: isText, flavour: isText };
const isKernel = nullOr(
  either(
    objectOf<KernelImage>({ role: wordOf(['image']), ...kernelFields }),
    objectOf<KernelPart>({ role: wordOf(['part']), ...kernelFields }),
  ),
);

const isComparable = objectOf<ComparableVerdict>({
  kind: wordOf(['comparable']),
  matchName: isText,
  matchVersion: isText,
  module: isText,
  moduleFrom: missingOr(wordOf(['enabled_streams'])),
  line: isText,
  follows: missingOr(isText),
  originStated: isFlag,
  kernel: isKernel,
});

const isUnknown = objectOf<UnknownVerdict>({
  kind: wordOf(['unknown']),
  reason: wordOf(unknownReasons),
  detail: isText,
  kernel: isKernel,
});

type ExcludedFor<R extends ExcludedVerdict['reason']> = Extract<ExcludedVerdict, { reason: R }>;
const isExcludedWord = wordOf(['excluded']);
const isExcluded: Check<ExcludedVerdict> = either(
  objectOf<ExcludedFor<'kernel_metapackage'>>({
    kind: isExcludedWord,
    reason: wordOf(['kernel_metapackage']),
    flavour: isText,
  }),
  either(
    objectOf<ExcludedFor<'kernel_companion'>>({ kind: isExcludedWord, reason: wordOf(['kernel_companion']) }),
    objectOf<ExcludedFor<'not_a_package'>>({ kind: isExcludedWord, reason: wordOf(['not_a_package']) }),
  ),
);

const isVerdict: Check<Verdict> = either(isComparable, either(isUnknown, isExcluded));
