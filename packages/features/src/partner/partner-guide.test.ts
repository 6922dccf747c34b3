import { execFile } from 'node:child_process';
import { readFile } from 'node:fs/promises';
import { promisify } from 'node:util';
import { createApp } from '@gatehouse/api-main/app';
import { blockOf, signIn, startService } from '@gatehouse/testkit';
import { describe, expect, inject, it } from 'vitest';
import { connectGatehouse } from '../test/partner-back-end.js';
import { ACME_SECRET, exchange, loginTokenIn } from '../test/partner-client.js';

const dialect = inject('dialect');
const start = () => startService(createApp, { dialect, application: 'web' });
const run = promisify(execFile);

const guide = (text: string) => blockOf('docs/partners.md', text);

describe('the guide for partners', () => {
  it('has commands for curl that work unchanged', async () => {
    await using service = await start();
    const script = guide('/partnerAuth/registerUser').replace('http://127.0.0.1:4000', service.url);
    const { stdout } = await run('bash', ['--norc', '-eu', '-o', 'pipefail', '-c', script]);
    const lines = stdout.trim().split('\n');
    expect(lines[0]).toBe('true');
    expect(lines[1]).toBe('http://127.0.0.1:4010/#login?token');
    expect(stdout).toContain("email: 'emmy@example.org'");
    expect(lines.at(-1)).toMatch(/^http:\/\/127\.0\.0\.1:4010\/\?token=[\w.-]+$/);
  });

  it('prints the back end that this test runs', async () => {
    const source = await readFile(new URL('../test/partner-back-end.ts', import.meta.url), 'utf8');
    expect(guide('export function connectGatehouse')).toBe(source);
  });

  it('has a back end that registers, signs on, and accepts visitors', async () => {
    await using service = await start();
    const gatehouse = connectGatehouse({
      url: service.url,
      partnerId: 'acme-partner',
      secretKey: ACME_SECRET,
    });
    const ada = { email: 'ada@example.org', firstName: 'Ada', lastName: 'Byron' };
    expect(await gatehouse.register(ada)).toBe(true);
    expect(await gatehouse.register(ada)).toBe(false);
    expect(await gatehouse.loginUrl('owner@acme.test')).toBeUndefined();
    const loginUrl = await gatehouse.loginUrl('ada@example.org');
    await exchange(service, loginTokenIn(loginUrl ?? ''));

    const { token } = await signIn(service, 'owner@acme.test');
    const response = await service.send('/partnerAuth/partnerSignIn', {
      token,
      body: { partner: 'acme-partner' },
    });
    const { redirectUrl } = (await response.json()) as { redirectUrl: string };
    const signed = new URL(redirectUrl).searchParams.get('token') ?? '';
    expect(gatehouse.visitor(signed)).toMatchObject({
      id: 3,
      email: 'owner@acme.test',
      username: 'owner.acme',
    });
    expect(() => gatehouse.visitor(`${signed.slice(0, -4)}AAAA`)).toThrow('invalid signature');
  });

  it('has a back end that authenticates again when its token has expired', async () => {
    let now = Date.now();
    await using service = await startService(createApp, { dialect, application: 'web', now: () => now });
    const settings = { url: service.url, partnerId: 'acme-partner', secretKey: ACME_SECRET };
    const gatehouse = connectGatehouse(settings);
    expect(await gatehouse.loginUrl('nobody@example.org')).toBeUndefined();
    now += 3_601_000;
    expect(await gatehouse.loginUrl('nobody@example.org')).toBeUndefined();
    await expect(
      connectGatehouse({ ...settings, secretKey: 'x'.repeat(40) }).loginUrl('nobody@example.org'),
    ).rejects.toThrow('refuses the secretKey');
  });
});
