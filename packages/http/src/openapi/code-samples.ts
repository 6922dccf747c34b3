import { z } from 'zod';
import type { ListedProcedure } from '../trpc/list-procedures.js';
import type { Rule } from '../trpc/procedure-rule.js';
import { exampleOf } from './field-notes.js';
import type { CodeSample, Operation, Parameter, Schema } from './open-api-types.js';
import { isUsuallySent, parameterAt } from './operation-parameters.js';

const WIDEST = 60;

/** A JSON value as TypeScript source; long values take several lines. */
function typescriptLiteral(value: unknown, indent = ''): string {
  if (typeof value === 'string') return quoted(value);
  if (typeof value !== 'object' || value === null) return JSON.stringify(value);
  const isList = Array.isArray(value);
  const deeper = `${indent}  `;
  const parts = Object.entries(value).map(([key, each]) => {
    const text = typescriptLiteral(each, deeper);
    return isList ? text : `${propertyName(key)}: ${text}`;
  });
  const [open, close] = isList ? '[]' : '{}';
  if (parts.length === 0) return `${open}${close}`;
  const line = isList ? `[${parts.join(', ')}]` : `{ ${parts.join(', ')} }`;
  if (line.length <= WIDEST && !line.includes('\n')) return line;
  return `${open}\n${parts.map((part) => `${deeper}${part},\n`).join('')}${indent}${close}`;
}

function quoted(text: string): string {
  return `'${JSON.stringify(text).slice(1, -1).replaceAll('\\"', '"').replaceAll("'", "\\'")}'`;
}

function propertyName(key: string): string {
  return /^[A-Za-z_$][\w$]*$/.test(key) ? key : quoted(key);
}

/** The two procedures for which the client has its own method, which stores the session. */
const OWN_METHODS: Readonly<Record<string, string>> = { 'login.web': 'signIn', 'session.end': 'signOut' };

/** How the typed client calls a procedure. */
export function clientSample(
  { name, type, rule, input }: ListedProcedure,
  example: Readonly<Record<string, unknown>>,
): CodeSample {
  const method = OWN_METHODS[name];
  const isEmpty = Object.keys(example).length === 0;
  const bearer = bearerOf(rule);
  const written = typescriptLiteral(example);
  const first = input === undefined ? (bearer === undefined ? '' : 'undefined') : written;
  const call =
    method === undefined
      ? `gatehouse${accountOf(rule)}.api.${name}.${type === 'query' ? 'query' : 'mutate'}`
      : `gatehouse.${method}`;
  const given = method !== undefined && isEmpty ? '' : first;
  const options = bearer === undefined ? '' : `, perCall({ bearer: ${bearer} })`;
  return { lang: 'TypeScript', label: 'Client', source: `const answer = await ${call}(${given}${options});` };
}

function accountOf(rule: Rule | undefined): string {
  return rule?.who === 'account' ? '.withAccount(1)' : '';
}

/** The variable for a token that the client does not store itself. */
function bearerOf(rule: Rule | undefined): string | undefined {
  switch (rule?.who) {
    case 'bearer':
      return 'bearerToken';
    case 'partner':
      return 'partnerToken';
    case 'authToken':
      return 'authToken';
    default:
      return undefined;
  }
}

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
    `curl ${method === 'GET' ? '' : `-X ${method} `}${shellQuoted(`${serverUrl}${filled}${query && `?${query}`}`)}`,
    ...callerHeader(operation.security, schemes),
    ...placed('header').map((each) => `-H ${shellQuoted(`${each.name}: ${textOf(each)}`)}`),
    ...(type === undefined
      ? []
      : [`-H ${shellQuoted(`Content-Type: ${type}`)}`, bodyOf(type, media?.example)]),
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
  if (/[/+]json$/.test(type)) return `-d ${shellQuoted(JSON.stringify(example))}`;
  const fields = Object.entries(z.record(z.string(), z.unknown()).parse(example));
  const texts = fields.map(([name, value]): [string, string] => [
    name,
    typeof value === 'string' ? value : JSON.stringify(value),
  ]);
  return `-d ${shellQuoted(new URLSearchParams(texts).toString())}`;
}

function shellQuoted(text: string): string {
  return `'${text.replaceAll("'", String.raw`'\''`)}'`;
}
