import { createApp as createAdmin } from '@gatehouse/api-admin/app';
import { router as adminRouter } from '@gatehouse/api-admin/router';
import { createApp as createMain } from '@gatehouse/api-main/app';
import { router as mainRouter } from '@gatehouse/api-main/router';
import { jsonSchema } from '@gatehouse/http/openapi/documented-schema';
import { listProcedures } from '@gatehouse/http/trpc/list-procedures';
import { startService } from '@gatehouse/testkit';
import { describe, expect, it } from 'vitest';
import { CONTRACT } from './test/contract.js';
import { operationsOf } from './test/operations-of.js';
import { renderedOpenApi, wholeOpenApi } from './test/rendered-openapi.js';

const documents = await renderedOpenApi();
const legacy = await renderedOpenApi('compatibility');
const whole = await wholeOpenApi();
const ROUTERS = { main: mainRouter, admin: adminRouter };

describe.each(['main', 'admin'] as const)('the documents of the %s service', (name) => {
  const { components } = whole[name];
  const operations = operationsOf(whole[name]);

  it('have every path of the contract, with its guard', () => {
    const found = Object.fromEntries(
      operations.map(({ path, method, operation }) => [
        `${method.toUpperCase()} ${path}`,
        operation.security.map((each) => Object.keys(each).join('+')).join(' or ') || 'nobody',
      ]),
    );
    expect(found).toMatchObject(CONTRACT[name]);
  });

  it('have the session cookie, which is accepted only with the header that other sites cannot send', () => {
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

  it('have for each operation an example of a request and of its answer', () => {
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

  it('describe for every refusal with 401, 429 and 503 what else it contains', () => {
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

  it('answers with an object, and leaves status, error and requestId to the envelope', () => {
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

describe.each(['main', 'admin'] as const)('the document of the %s service for no tag', (name) => {
  const operations = operationsOf(documents[name]);
  const isLogin = (operationId: string) => /^login[A-Za-z]+Legacy$/.test(operationId);

  it('has every procedure once, under /v1, named after it in camel case, GET if it only reads', () => {
    const found = operations
      .filter(({ path }) => path.startsWith('/v1/'))
      .map(({ path, method, operation }) => [path, method, operation.operationId]);
    const expected = listProcedures(ROUTERS[name]).map(({ name: procedure, type }) => [
      `/v1/${procedure.replace('.', '/')}`,
      type === 'query' ? 'get' : 'post',
      procedure.replaceAll(/\.(.)/g, (_, letter: string) => letter.toUpperCase()),
    ]);
    // The feed has a short path as well.
    const all = [...expected, ['/v1/events', 'get', 'events']];
    expect(found.map(String).toSorted()).toEqual(all.map(String).toSorted());
    expect(new Set(operations.map(({ operation }) => operation.operationId)).size).toBe(operations.length);
  });

  it('has, apart from these, only the logins of the replaced system and the paths for machines and webhooks', () => {
    const others = operations.filter(({ path, operation }) => {
      const isForPrograms = operation.tags.some((tag) => tag === 'machines' || tag === 'webhooks');
      return !path.startsWith('/v1/') && !isForPrograms;
    });
    expect(others.map(({ operation }) => operation.operationId).filter((id) => !isLogin(id))).toEqual([]);
    expect(others.map(({ path }) => path)).toEqual(
      expect.arrayContaining(['/authenticate', '/webauthenticate']),
    );
  });

  it('has no page and no redirect', () => {
    const answers = operations.flatMap(({ path, operation }) =>
      Object.entries(operation.responses).map(([status, answer]) => ({
        path,
        status,
        types: 'content' in answer ? Object.keys(answer.content ?? {}) : [],
      })),
    );
    const pages = answers.filter(({ types }) => types.some((type) => type.startsWith('text/html')));
    const redirects = answers.filter(({ status }) => /^30[12378]$/.test(status));
    expect([pages, redirects]).toEqual([[], []]);
  });

  it('has the documented paths of the replaced system only for its tag, each named …Legacy', () => {
    const old = operationsOf(legacy[name]);
    expect(old.filter(({ operation }) => !operation.operationId.endsWith('Legacy'))).toEqual([]);
    expect(old.filter(({ path }) => path.startsWith('/v1/'))).toEqual([]);
    const inBoth = old.filter(({ path }) => operations.some((each) => each.path === path));
    expect(inBoth.map(({ operation }) => operation.operationId)).toEqual(
      old.map(({ operation }) => operation.operationId).filter(isLogin),
    );
    expect(old.length).toBeGreaterThan(35);
  });

  it('gives no schema a name that means something else in JavaScript', () => {
    const names = Object.keys(whole[name].components.schemas);
    expect(names).toContain('ApiError');
    expect(names.filter((each) => each in globalThis)).toEqual([]);
  });
});

describe.each(['main', 'admin'] as const)('a document of the %s service for one tag', (name) => {
  it('has exactly the operations with that tag, and describes it', async () => {
    const tags = [...new Set(operationsOf(whole[name]).flatMap(({ operation }) => operation.tags))];
    expect(tags.length).toBeGreaterThan(5);
    for (const tag of tags) {
      const { [name]: document } = await renderedOpenApi(tag);
      const ids = operationsOf(document).map(({ operation }) => operation.operationId);
      const expected = operationsOf(whole[name])
        .filter(({ operation }) => operation.tags.includes(tag))
        .map(({ operation }) => operation.operationId);
      expect([tag, ids.toSorted()]).toEqual([tag, expected.toSorted()]);
      expect(document.tags).toContainEqual({ name: tag, description: expect.stringMatching(/\.$/) });
    }
  });
});

describe('/openapi.json and /docs with a tag', () => {
  it('have for partners what partners call, and nothing else', async () => {
    const { main } = await renderedOpenApi('partner');
    expect(operationsOf(main).map(({ operation }) => operation.operationId)).toEqual([
      'partnerAuthenticate',
      'partnerRegisterUser',
      'partnerSingleSignOn',
      'partnerEventList',
      'partnerEventListEndpoints',
      'partnerEventSaveEndpoint',
      'partnerEventRemoveEndpoint',
      'partnerEventRotateSecret',
      'partnerEventTestEndpoint',
      'partnerEventResumeEndpoint',
      'partnerEventListDeliveries',
      'partnerEventDeliveryDetail',
      'partnerEventRedeliver',
    ]);
  });

  it('list the tags when asked for an unknown one, or for two', async () => {
    await using service = await startService(createMain, { dialect: 'libsql', application: 'web' });
    for (const path of ['/openapi.json?tag=partners', '/openapi.json?tag=', '/docs?tag=member&tag=staff']) {
      const response = await service.send(path);
      expect([path, response.status, await response.json()]).toMatchObject([
        path,
        400,
        {
          error: {
            code: 'invalid_input',
            issues: [{ path: 'tag', message: expect.stringContaining('account, compatibility, machines') }],
          },
        },
      ]);
    }
  });
});

describe('the documented refusal', () => {
  it('of partner.authenticate is the actual one', async () => {
    await using service = await startService(createMain, { dialect: 'libsql', application: 'web' });
    const body = JSON.stringify({ partnerId: 'acme-partner', secretKey: 'wrong' });
    const response = await service.send('/v1/partner/authenticate', { body });
    const { requestId: _id, ...refusal } = (await response.json()) as Record<string, unknown>;
    const described = documents.main.paths['/v1/partner/authenticate']?.['post']?.responses[response.status];
    const key = described && '$ref' in described ? described.$ref.split('/').at(-1) : '';
    const shown = documents.main.components.responses[key ?? '']?.content?.['application/json']?.examples;
    expect(Object.values(shown ?? {}).map(({ value }) => value)).toEqual([expect.objectContaining(refusal)]);
    expect(refusal['message']).toBe('The partner or its secret is wrong.');
  });
});

describe('/openapi.json and /docs', () => {
  it('may be cached, and are not sent again to callers who have them', async () => {
    await using service = await startService(createMain, { dialect: 'libsql', application: 'web' });
    for (const path of ['/openapi.json', '/docs', '/openapi.json?tag=partner', '/docs?tag=compatibility']) {
      const response = await service.send(path);
      const etag = response.headers.get('etag') ?? '';
      expect(response.headers.get('cache-control')).toBe('public, max-age=300');
      const again = await service.send(path, { headers: { 'if-none-match': etag } });
      expect([path, again.status, await again.text()]).toEqual([path, 304, '']);
      const changed = await service.send(path, { headers: { 'if-none-match': '"other"' } });
      expect([path, changed.status]).toEqual([path, 200]);
    }
  });

  it('allow only the page scripts of this service, and no frame, form or other host', async () => {
    await using service = await startService(createMain, { dialect: 'libsql', application: 'web' });
    const page = await service.send('/docs');
    const policy = page.headers.get('content-security-policy') ?? '';
    expect(policy.replace(/'sha256-[^']+'/, 'DIGEST')).toBe(
      "default-src 'none'; script-src 'self'; style-src DIGEST; connect-src 'self'; img-src data:; form-action 'none'; base-uri 'none'; frame-ancestors 'none'",
    );
    const scripts = [...(await page.text()).matchAll(/<script[^>]* src="([^"]+)"/g)].map(
      ([, path]) => path ?? '',
    );
    expect(scripts).toEqual(['/docs/swagger-ui-bundle.js', '/docs/show-reference.js']);
    for (const path of scripts) {
      const script = await service.send(path);
      expect([path, script.status]).toEqual([path, 200]);
      expect(script.headers.get('content-type')).toBe('text/javascript; charset=utf-8');
    }
    for (const path of ['/docs/none.js', '/docs/package.json', '/docs/swagger-ui.js'])
      expect([path, (await service.send(path)).status]).toEqual([path, 404]);
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
