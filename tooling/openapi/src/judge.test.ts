import { createApp } from '@gatehouse/api-main/app';
import type { OpenApiDocument } from '@gatehouse/http/openapi/open-api-types';
import { startService } from '@gatehouse/testkit';
import { describe, expect, it } from 'vitest';
import { createJudge } from './test/judge.js';
import { openPrismProxy } from './test/prism-proxy.js';

/** Each change compiles the whole document again. */
const OPTIONS = { timeout: 90_000 };
const start = () => startService(createApp, { dialect: 'libsql', application: 'web' });
const credentials = { email: 'owner@acme.test', password: 'Lantern-Harbor-42' };

async function findingsAbout(
  service: Awaited<ReturnType<typeof start>>,
  change: (text: string) => string,
): Promise<readonly string[]> {
  const served = await (await service.send('/openapi.json?tag=public')).text();
  const changed = change(served);
  expect(changed).not.toBe(served);
  const judge = await createJudge(JSON.parse(changed) as OpenApiDocument);
  const wrong = JSON.stringify({ ...credentials, password: 'wrong' });
  const response = await service.send('/webauthenticate', { body: wrong });
  const body = Buffer.from(await response.arrayBuffer());
  return judge({
    method: 'POST',
    target: '/webauthenticate',
    requestHeaders: { 'content-type': 'application/json', 'content-length': String(wrong.length) },
    requestBody: Buffer.from(wrong),
    status: response.status,
    rawHeaders: [],
    responseHeaders: Object.fromEntries(response.headers),
    responseBody: body,
  });
}

describe('the proxy that compares answers with the document', () => {
  it(
    'finds a code, a header, a status, a field and a sentence that the document does not have',
    OPTIONS,
    async () => {
      await using service = await start();
      const unchanged = await findingsAbout(service, (text) => text.replace('Gatehouse', 'gatehouse'));
      expect(unchanged).toEqual([]);
      const changes: ((text: string) => string)[] = [
        (text) => text.replace(/"enum":\[[^\]]*"invalid_credentials"[^\]]*\]/g, '"enum":["invalid_token"]'),
        (text) => text.replaceAll('^Bearer (', '^Basic ('),
        (text) => text.replaceAll('"401":', '"402":'),
        (text) => text.replaceAll('"requestId":{"type":"string"', '"requestNumber":{"type":"string"'),
        (text) => text.replaceAll('The email or the password is wrong.', 'It is wrong.'),
      ];
      for (const change of changes) expect(await findingsAbout(service, change)).not.toEqual([]);
    },
  );

  it('fails when it is closed after an answer that is not described', async () => {
    await using service = await start();
    const proxy = await openPrismProxy(service.url);
    await fetch(`${proxy.url}/healthz`);
    await proxy[Symbol.asyncDispose]();

    const another = await openPrismProxy(service.url);
    await fetch(`${another.url}/webauthenticate`, { method: 'OPTIONS' });
    await expect(another[Symbol.asyncDispose]()).rejects.toThrow('which is not described');
  });
});
