// @module-tag slow

import { execFile } from 'node:child_process';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { createApp as createAdminApp } from '@gatehouse/api-admin/app';
import { createApp } from '@gatehouse/api-main/app';
import { blockOf, findFreePort, signIn, startExample, startService } from '@gatehouse/testkit';
import { expect, it } from 'vitest';

const run = promisify(execFile);

/** A product whose files are those of the guide. */
const PRODUCT = `
import { app } from './express.js';
import { colleagues } from './verify.js';
import { verifier as offline } from './offline.js';
import { verifier as tested } from './test.js';

const [port = '', token = '', accessToken = ''] = process.argv.slice(2);
const ask = (headers: Record<string, string>) => new Request('http://product.test/', { headers });
const said = async (response: Response) => response.status + ' ' + (await response.text());
console.log('found', await said(await colleagues(ask({ token, accountid: '1' }))));
console.log('refused', await said(await colleagues(ask({ token: 'nobodys', accountid: '1' }))));
console.log('offline', (await offline.verify(ask({ authorization: 'Bearer ' + accessToken }))).member.id);
console.log('tested', (await tested.require('app.invoice.read')(ask({ token: 'olivia' }))).member.id);
app.listen(Number(port), '127.0.0.1', () => console.log('listening'));
`;

it('the TypeScript code of the guide to your own API admits and refuses callers', async () => {
  await using service = await startService(createApp, { dialect: 'libsql', application: 'web' });
  const { database } = service;
  await using admin = await startService(createAdminApp, {
    dialect: 'libsql',
    application: 'admin',
    database,
  });
  const root = await signIn(admin, 'root@gatehouse.test');
  const resource = { origin: 'https://api.example.com', name: 'Invoices', ttlSeconds: 120 };
  await admin.send('/v1/resource/save', { token: root.token, body: resource });
  const { token } = await signIn(service, 'owner@acme.test');
  const body = { audience: resource.origin };
  const issued = await service.send('/v1/session/accessToken', { token, accountId: 1, body });
  const { data } = (await issued.json()) as { data: { accessToken: string } };

  const guide = (text: string) =>
    blockOf('docs/your-own-api.md', text)
      .replaceAll(/http:\/\/(127\.0\.0\.1|gatehouse\.internal):4000/g, service.url)
      .replace('https://gatehouse.example.com', service.services.config.BASE_URL);
  const folder = await mkdtemp(fileURLToPath(new URL('guide-product-', import.meta.url)));
  try {
    const files = {
      'express.ts': guide("from 'express'"),
      'verify.ts': guide('const mayList'),
      'offline.ts': guide('audience:'),
      'test.ts': guide('createTestVerifier'),
      'product.ts': PRODUCT,
    };
    for (const [name, text] of Object.entries(files)) await writeFile(join(folder, name), text);
    const port = String(await findFreePort());
    await using product = startExample(folder, ['product.ts', port, token, data.accessToken], {
      NODE_OPTIONS: '--conditions=@gatehouse/source',
    });
    await product.prints(/found 200 You are 3, in account 1\n/);
    await product.prints(/refused 401 /);
    await product.prints(/offline 3\n/);
    await product.prints(/tested 1\n/);
    await product.prints(/listening\n/);
    const command = guide('curl -i').replace('5000', port);
    const { stdout } = await run('bash', ['--norc', '-c', `TOKEN='${token}'\n${command}`]);
    expect(stdout).toMatch(/^HTTP\/1\.1 200 OK[\s\S]*\{"member":3,"account":1\}$/);
    const member = await signIn(service, 'member@acme.test');
    const refused = await run('bash', ['--norc', '-c', `TOKEN='${member.token}'\n${command}`]);
    expect(refused.stdout).toMatch(/^HTTP\/1\.1 403 [\s\S]*"permission_denied"/);
  } finally {
    await rm(folder, { recursive: true });
  }
});
