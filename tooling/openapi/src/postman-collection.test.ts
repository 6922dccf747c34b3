import { createApp } from '@gatehouse/api-main/app';
import type { OpenApiDocument } from '@gatehouse/http/openapi/open-api-types';
import { postmanCollection } from '@gatehouse/http/openapi/postman-collection';
import { type RunningService, startService } from '@gatehouse/testkit';
import { describe, expect, it } from 'vitest';
import { operationsOf } from './test/operations-of.js';
import { readCollection, runCollection } from './test/postman.js';
import { renderedOpenApi, wholeOpenApi } from './test/rendered-openapi.js';

type PostmanCollection = ReturnType<typeof postmanCollection>;

async function collectionOf(service: RunningService, tag?: string) {
  const query = tag === undefined ? '' : `?tag=${tag}`;
  const document = (await (await service.send(`/openapi.json${query}`)).json()) as OpenApiDocument;
  const collection = postmanCollection(document);
  const variable = collection.variable.map((each) =>
    each.key === 'baseUrl' ? { ...each, value: service.url } : each,
  );
  return { document, collection: { ...collection, variable } };
}

/** The requests whose paths are named, in this order. */
function only(collection: PostmanCollection, paths: readonly string[]): PostmanCollection {
  const all = collection.item.flatMap(({ item }) => item);
  const chosen = paths.map((path) => {
    const found = all.find(({ name }) => name.endsWith(` ${path})`));
    if (!found) throw new Error(`No request is for ${path}`);
    return found;
  });
  return { ...collection, item: [{ name: 'chosen', description: '', item: chosen }] };
}

const start = () => startService(createApp, { dialect: 'libsql', application: 'web' });

describe.each(['main', 'admin'] as const)('the Postman collection of the %s service', (name) => {
  it('is read by Postman’s own SDK with nothing lost: each operation is a request in the folder of its tag', async () => {
    const { [name]: document } = await wholeOpenApi();
    const made = postmanCollection(document);
    const requests = readCollection(made);
    expect(requests).toHaveLength(operationsOf(document).length);
    const sent = made.item.flatMap(({ item }) => item).map(({ request }) => request);
    expect(
      requests.map((request) => [
        request.method,
        request.url.toString(),
        request.auth?.type ?? 'noauth',
        request.headers.map(({ key }) => key),
        request.body?.mode,
      ]),
    ).toEqual(
      sent.map(({ method, url, auth, header, body }) => [
        method,
        // The SDK fills the path, and encodes a query when it sends it.
        decodeURIComponent(
          url.variable.reduce((raw, { key, value }) => raw.replace(`:${key}`, value), url.raw),
        ),
        auth.type,
        header.map(({ key }) => key),
        body?.mode,
      ]),
    );
    expect(made.info.schema).toBe('https://schema.getpostman.com/json/collection/v2.1.0/collection.json');
  });
});

describe('the Postman collection of a running service', () => {
  it('signs in, keeps the token, and acts in an account with it', async () => {
    await using service = await start();
    const { collection } = await collectionOf(service);
    const paths = ['/v1/session/me', '/v1/login/web', '/v1/session/me', '/v1/member/list'];
    const ran = await runCollection(only(collection, paths));
    expect(ran.map(({ status }) => status)).toEqual([401, 200, 200, 200]);
    expect(JSON.parse(ran[2]?.body ?? '')).toMatchObject({ member: { email: 'owner@acme.test' } });
    expect(JSON.parse(ran[3]?.body ?? '')).toMatchObject({ status: true, page: { limit: 50 } });
  });

  it('gets a partner its token, and fills parameters in the paths of the replaced system', async () => {
    await using service = await start();
    const partner = await collectionOf(service, 'partner');
    const calls = ['/v1/partner/authenticate', '/v1/partner/singleSignOn'];
    const [authenticated, signedOn] = await runCollection(only(partner.collection, calls));
    expect([authenticated?.status, signedOn?.status]).toEqual([200, 404]);
    expect(signedOn?.body).toContain('not_found');

    const legacy = await collectionOf(service, 'compatibility');
    const paths = ['/webauthenticate', '/getUserdetail{userid}', '/getUserdetail/{userid}'];
    const ran = await runCollection(only(legacy.collection, paths));
    expect(ran.map(({ status }) => status)).toEqual([200, 200, 200]);
  });

  it('has no request that the service answers differently from the document', async () => {
    await using service = await start();
    const { document, collection } = await collectionOf(service);
    const ran = await runCollection(collection);
    expect(ran).toHaveLength(operationsOf(document).length);
    const wrong = ran.filter(({ name, status }) => {
      const found = operationsOf(document).find(({ path }) => name.endsWith(` ${path})`));
      return !found?.operation.responses[status] || [413, 415, 500].includes(status);
    });
    expect(wrong).toEqual([]);
  });

  it('authenticates each request by the first method that its operation accepts', async () => {
    const { main } = await renderedOpenApi();
    const names = postmanCollection(main)
      .item.flatMap(({ item }) => item)
      .map(({ name, request }) => [name.replace(/^.* /, ''), request.auth.type]);
    expect(Object.fromEntries(names)).toMatchObject({
      '/v1/member/list)': 'apikey',
      '/v1/health/bearer)': 'bearer',
      '/v1/partner/singleSignOn)': 'bearer',
      '/v1/login/web)': 'noauth',
      '/stripe_webhooks)': 'apikey',
    });
  });
});
