import { csvType, shellType, yamlType } from '@plimsoll/contract';
import type { ReadHandler } from '../read-operation.ts';
import { hostsOf, type RecognisedPlan } from './plan-content.ts';
import { planPlaybook } from './plan-playbook.ts';
import { planScript } from './plan-script.ts';
import { planTable } from './plan-table.ts';

type Asked = Pick<Parameters<ReadHandler<'makePlan'>>[0], 'query' | 'accepts'>;

const types = { json: 'application/json', shell: shellType, ansible: yamlType, csv: csvType } as const;
type Format = keyof typeof types;

/** The requested form of a plan: the parameter `format`, otherwise the header Accept, otherwise JSON. */
function formatOf({ query, accepts }: Asked): Format {
  if (query.format !== undefined) return query.format;
  const type = accepts(Object.values(types));
  const formats = Object.keys(types) as readonly Format[]; // The object's own keys.
  return formats.find((format) => types[format] === type) ?? 'json';
}

/** A plan in the requested form; `body` is the answer as JSON. */
export async function planAnswer<Body extends object>(content: RecognisedPlan, asked: Asked, body: Body) {
  const format = formatOf(asked);
  const headers = { Vary: 'Accept' };
  switch (format) {
    case 'json':
      return { kind: 'json', status: 200, headers, body } as const;
    case 'csv': {
      const answer = await planTable(hostsOf(content));
      return { ...answer, headers: { ...headers, ...answer.headers } } as const;
    }
    case 'shell':
      return fileAnswer(shellType, 'plimsoll-plan.sh', planScript(content));
    case 'ansible':
      return fileAnswer(yamlType, 'plimsoll-plan.yml', planPlaybook(content));
    default:
      return format satisfies never;
  }
}

function fileAnswer<Type extends string>(type: Type, fileName: string, pieces: Iterable<string>) {
  return {
    kind: 'pieces',
    status: 200,
    headers: { Vary: 'Accept', 'Content-Disposition': `attachment; filename="${fileName}"` },
    type,
    pieces: inTurns(pieces),
    cut: null,
  } as const;
}

async function* inTurns(pieces: Iterable<string>): AsyncIterable<string> {
  yield* pieces;
}
