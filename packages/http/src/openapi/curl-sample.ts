import { z } from 'zod';
import type { CodeSample, Operation, Parameter, Schema } from './document.js';
import { exampleOf } from './example-of.js';
import { isUsuallySent, parameterAt } from './parameters.js';

/** The address and headers of one operation. */
interface Called {
  readonly path: string;
  readonly method: string;
  readonly operation: Pick<Operation, 'parameters' | 'requestBody' | 'security'>;
  readonly serverUrl: string;
  readonly schemes: Readonly<Record<string, Schema>>;
}

const apiKey = z.object({ type: z.literal('apiKey'), name: z.string() });

/** A curl call of an operation: its required fields, with values of the demonstration data. */
export function curlSample({ path, method, operation, serverUrl, schemes }: Called): CodeSample {
  const shown = operation.parameters.filter(isUsuallySent).map(parameterAt);
  const placed = (place: Parameter['in']) => shown.filter((each) => each.in === place);
  const filled = placed('path').reduce(
    (url, each) => url.replace(`{${each.name}}`, encodeURIComponent(textOf(each))),
    path,
  );
  const query = new URLSearchParams(
    placed('query').map((each): [string, string] => [each.name, textOf(each)]),
  ).toString();
  const [type, media] = Object.entries(operation.requestBody?.content ?? {})[0] ?? [];
  const parts = [
    `curl ${method === 'GET' ? '' : `-X ${method} `}${quoted(`${serverUrl}${filled}${query && `?${query}`}`)}`,
    ...callerHeader(operation.security, schemes),
    ...placed('header').map((each) => `-H ${quoted(`${each.name}: ${textOf(each)}`)}`),
    ...(type === undefined ? [] : [`-H ${quoted(`Content-Type: ${type}`)}`, bodyOf(type, media?.example)]),
  ];
  return { lang: 'Shell', label: 'curl', source: parts.join(' \\\n  ') };
}

/** An example of a parameter, as it is sent. */
export function textOf({ name, schema, example }: Parameter): string {
  const value = example ?? exampleOf(schema, name);
  return typeof value === 'string' ? value : JSON.stringify(value);
}

function callerHeader(
  [security]: Operation['security'],
  schemes: Readonly<Record<string, Schema>>,
): readonly string[] {
  const [key] = Object.keys(security ?? {});
  if (key === undefined) return [];
  const header = apiKey.safeParse(schemes[key]).data?.name;
  return [`-H "${header === undefined ? 'Authorization: Bearer' : `${header}:`} $TOKEN"`];
}

function bodyOf(type: string, example: unknown = {}): string {
  if (type === 'application/json') return `-d ${quoted(JSON.stringify(example))}`;
  const fields = Object.entries(z.record(z.string(), z.unknown()).parse(example));
  const texts = fields.map(([name, value]): [string, string] => [
    name,
    typeof value === 'string' ? value : JSON.stringify(value),
  ]);
  return `-d ${quoted(new URLSearchParams(texts).toString())}`;
}

function quoted(text: string): string {
  return `'${text.replaceAll("'", String.raw`'\''`)}'`;
}
