import { createApp as createAdmin } from '@gatehouse/api-admin/app';
import { router as adminRouter } from '@gatehouse/api-admin/router';
import { createApp as createMain } from '@gatehouse/api-main/app';
import { router as mainRouter } from '@gatehouse/api-main/router';
import { jsonSchema } from '@gatehouse/http/openapi/json-schema';
import { listProcedures } from '@gatehouse/http/trpc/list-procedures';
import { startService } from '@gatehouse/testkit';
import { describe, expect, it } from 'vitest';
import { CONTRACT } from './test/contract.js';
import { renderedOpenApi } from './test/rendered-openapi.js';

const documents = await renderedOpenApi();
const ROUTERS = { main: mainRouter, admin: adminRouter };

describe.each(['main', 'admin'] as const)('the document of the %s service', (name) => {
  const { paths, components } = documents[name];
  const operations = Object.entries(paths).flatMap(([path, item]) =>
    Object.entries(item).map(([method, operation]) => ({ path, method, operation })),
  );

  it('has every path of the contract, with its guard', () => {
    const found = Object.fromEntries(
      operations.map(({ path, method, operation }) => [
        `${method.toUpperCase()} ${path}`,
        operation.security.map((each) => Object.keys(each).join('+')).join(' or ') || 'nobody',
      ]),
    );
    expect(found).toMatchObject(CONTRACT[name]);
  });

  it('has the session cookie, which counts only with the header that foreign pages cannot send', () => {
    const cookie = name === 'main' ? '__Host-gatehouse' : '__Host-gatehouse-admin';
    expect(components.securitySchemes).toMatchObject({
      cookie: { type: 'apiKey', in: 'cookie', name: cookie },
      cookieClient: { type: 'apiKey', in: 'header', name: 'X-Gatehouse-Client' },
    });
    const ways = operations.flatMap(({ operation }) => operation.security.map((each) => Object.keys(each)));
    const ofCookies = ways.filter((keys) => keys.some((key) => key.startsWith('cookie')));
    expect(new Set(ofCookies.map(String))).toEqual(new Set(['cookie,cookieClient']));
    const bySession = operations.filter(({ operation }) =>
      operation.security.some((each) => 'session' in each),
    );
    expect(ofCookies).toHaveLength(bySession.length);
  });

  it('has every procedure at the path that follows from its name, reading ones for GET as well', () => {
    const derived = Object.fromEntries(
      Object.entries(paths)
        .filter(([path]) => path.startsWith('/v1/'))
        .map(([path, item]) => [path, Object.keys(item).toSorted()]),
    );
    const expected = listProcedures(ROUTERS[name]).map(({ name: call, type }) => [
      `/v1/${call.replace('.', '/')}`,
      type === 'query' ? ['get', 'post'] : ['post'],
    ]);
    expect(derived).toEqual(Object.fromEntries(expected));
  });

  it('has for each operation an example of what is sent and of what comes back', () => {
    const without = operations.filter(({ operation: { requestBody, responses } }) => {
      const answer = responses['200'];
      const media = [
        ...Object.values(requestBody?.content ?? {}),
        ...(answer && 'content' in answer ? [answer.content?.['application/json']] : []),
      ];
      return media.some((each) => each?.schema['type'] === 'object' && each.example === undefined);
    });
    expect(without.map(({ path }) => path)).toEqual([]);
  });

  it('says of every refusal with 401, 429 and 503 what else it brings', () => {
    const headersOf = (status: string) =>
      operations.flatMap(({ operation }) => {
        const answer = operation.responses[status];
        if (!answer || !('$ref' in answer)) return [];
        return [Object.keys(components.responses[answer.$ref.split('/').at(-1) ?? '']?.headers ?? {})];
      });
    expect(headersOf('401').length).toBeGreaterThan(0);
    for (const headers of headersOf('401')) expect(headers).toContain('WWW-Authenticate');
    for (const headers of headersOf('503')) expect(headers).toContain('Retry-After');
    for (const headers of headersOf('429')) {
      expect(headers).toEqual(expect.arrayContaining(['Retry-After', 'RateLimit', 'RateLimit-Policy']));
    }
  });
});

/** The schemas of one field at the top level of an output, whichever of its forms has it. */
function fieldsNamed(name: string, schema: Record<string, unknown>): unknown[] {
  const own = schema['properties'] as Record<string, unknown> | undefined;
  const forms = ['anyOf', 'oneOf', 'allOf'].flatMap(
    (key) => (schema[key] ?? []) as Record<string, unknown>[],
  );
  return [
    ...(own !== undefined && name in own ? [own[name]] : []),
    ...forms.flatMap((form) => fieldsNamed(name, form)),
  ];
}

describe.each(['main', 'admin'] as const)('every procedure of the %s service', (name) => {
  const outputs = listProcedures(ROUTERS[name]).map(({ name: procedure, output }) => {
    if (!output) throw new Error(`${procedure} has no output`);
    return { procedure, schema: jsonSchema(output, 'output', new Map()) };
  });
  const proceduresWith = (field: string, isWrong: (schema: unknown) => boolean = () => true) =>
    outputs.filter(({ schema }) => fieldsNamed(field, schema).some(isWrong)).map((each) => each.procedure);

  it('answers an object, and leaves status, error and requestId to the envelope', () => {
    expect(outputs.filter(({ schema }) => schema['type'] !== 'object')).toEqual([]);
    expect(['status', 'error', 'requestId'].flatMap((field) => proceduresWith(field))).toEqual([]);
  });

  it('uses message for a sentence to people only, never for a code or a number', () => {
    const isCode = (schema: unknown) =>
      Object.keys(schema as object).some((key) => ['enum', 'const', 'pattern', 'format'].includes(key)) ||
      (schema as { type?: unknown }).type !== 'string';
    expect(proceduresWith('message').length).toBeGreaterThan(10);
    expect(proceduresWith('message', isCode)).toEqual([]);
  });
});

describe('/openapi.json and /docs', () => {
  it('may be kept, and are not sent again to whoever has them', async () => {
    await using service = await startService(createMain, { dialect: 'libsql', application: 'web' });
    for (const path of ['/openapi.json', '/docs']) {
      const response = await service.send(path);
      const etag = response.headers.get('etag') ?? '';
      expect(response.headers.get('cache-control')).toBe('public, max-age=300');
      const again = await service.send(path, { headers: { 'if-none-match': etag } });
      expect([path, again.status, await again.text()]).toEqual([path, 304, '']);
      const changed = await service.send(path, { headers: { 'if-none-match': '"other"' } });
      expect([path, changed.status]).toEqual([path, 200]);
    }
  });

  it('name the header and the address that the service is configured with', async () => {
    await using service = await startService(createAdmin, {
      dialect: 'libsql',
      application: 'admin',
      env: { TOKEN_HEADER_KEY: 'x-session', BASE_URL: 'https://staff.example.org' },
    });
    const { servers, components } = (await (
      await service.send('/openapi.json')
    ).json()) as (typeof documents)['admin'];
    expect(servers).toMatchObject([{ url: 'https://staff.example.org', 'x-internal': true }]);
    expect(components.securitySchemes['session']).toMatchObject({ in: 'header', name: 'x-session' });
  });
});
