import { mkdirSync, writeFileSync } from 'node:fs';
import { pathToFileURL } from 'node:url';
import { createApp } from '@gatehouse/api-main/app';
import { createTestFolder, developmentEnvironment, startService } from '@gatehouse/testkit';
import { describe, expect, inject, it } from 'vitest';

const dialect = inject('dialect');

const start = (folder: string, env: Record<string, string> = developmentEnvironment()) =>
  startService((services) => createApp(services, undefined, pathToFileURL(`${folder}/`)), {
    dialect,
    application: 'web',
    env,
  });

describe('the documents at /dev/docs', () => {
  it('have a page for each file, under a policy without inline scripts', async () => {
    await using folder = await createTestFolder();
    writeFileSync(`${folder.path}/index.html`, '<title>Documents</title>');
    writeFileSync(`${folder.path}/events.html`, '<title>Events</title>');
    await using service = await start(folder.path);
    const index = await service.send('/dev/docs/');
    expect([index.status, await index.text()]).toEqual([200, '<title>Documents</title>']);
    expect(index.headers.get('content-security-policy')).toMatch(/script-src 'self'; style-src 'self';/);
    expect(await (await service.send('/dev/docs/events')).text()).toContain('Events');
    expect((await service.send('/dev/docs/none')).status).toBe(404);
    expect((await service.send('/dev/docs/..%2f..%2fpackage.json')).status).toBe(404);
    expect((await service.send('/dev/docs/events', { method: 'POST' })).status).toBe(405);
    // The page above them is still there.
    expect(await (await service.send('/dev')).text()).toContain('href="/dev/docs/"');
  });

  it('say how to build them, and appear once they are built', async () => {
    await using folder = await createTestFolder();
    const built = `${folder.path}/later`;
    await using service = await start(built);
    const missing = await service.send('/dev/docs');
    expect([missing.status, await missing.text()]).toEqual([
      404,
      expect.stringContaining('pnpm@10 docs:site'),
    ]);
    mkdirSync(built);
    writeFileSync(`${built}/index.html`, '<title>Documents</title>');
    expect((await service.send('/dev/docs/')).status).toBe(200);
  });

  it('exist only in development, for a person at this machine', async () => {
    await using folder = await createTestFolder();
    writeFileSync(`${folder.path}/index.html`, '<title>Documents</title>');
    await using service = await start(folder.path);
    const forwarded = await service.send('/dev/docs/', { headers: { 'x-forwarded-for': '127.0.0.1' } });
    expect(forwarded.status).toBe(404);
    await using production = await start(folder.path, { NODE_ENV: 'production', MAIL_OUTBOX_ONLY: 'true' });
    expect((await production.send('/dev/docs/')).status).toBe(404);
  });
});
