import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { PROVIDER_KEYS, ROBIN } from '@gatehouse/simulator';
import { blockOf, findFreePort } from '@gatehouse/testkit';
import { describe, expect, inject, it } from 'vitest';
import { z } from 'zod';
import { createSocialBrowser } from '../test/social-browser.js';
import { startSocialWorld } from '../test/social-world.js';

const dialect = inject('dialect');

const session = z.object({
  token: z.string(),
  userId: z.number(),
  role: z.number(),
  accountId: z.number().nullable(),
});

const me = z.object({
  member: z.object({
    id: z.number(),
    sid: z.string(),
    email: z.string().nullable(),
    emailVerified: z.boolean(),
    firstName: z.string(),
  }),
});

const GIVES_NO_ADDRESS: readonly string[] = ['twitter', 'tiktok'];
const VOUCHES: readonly string[] = ['google', 'github', 'linkedin'];

describe('a sign-in with each of the six providers', () => {
  it('creates a member the first time, finds them the second, and ends in a session each time', async () => {
    await using world = await startSocialWorld({ dialect });
    const { service } = world;
    const everyone = new Set<number>();
    for (const key of PROVIDER_KEYS) {
      const email = `robin-at-${key}@rivera.test`;
      const seen = new Set<string>();
      for (const transport of ['social', 'tempLogin']) {
        const end = await createSocialBrowser(service).visit(`/social/${key}`, { person: { email } });
        expect(end.origin + end.pathname).toBe('http://app.gatehouse.test/socialAuth');
        expect([...end.searchParams.keys()]).toEqual(['user']);
        const body = { [transport]: true, token: end.searchParams.get('user') };
        const first = await service.send('/webauthenticate', { body });
        expect([key, first.status]).toEqual([key, 200]);
        const { token, userId, role, accountId } = session.parse(await first.json());
        expect(role).toBe(5);
        seen.add(`${userId} ${accountId}`);
        everyone.add(userId);

        const profile = await service.send('/auth/me', { token, accountId: accountId ?? 0 });
        expect(me.parse(await profile.json()).member).toMatchObject({
          id: userId,
          firstName: expect.stringMatching(/^Robin/),
          email: GIVES_NO_ADDRESS.includes(key) ? null : email,
          sid: GIVES_NO_ADDRESS.includes(key) ? `${key}:${ROBIN.id}` : email,
          emailVerified: VOUCHES.includes(key),
        });

        const second = await service.send('/webauthenticate', { body });
        expect(second.status).toBe(403);
        expect(await second.json()).toMatchObject({ error: { code: 'invalid_token' } });
      }
      expect([key, seen.size]).toEqual([key, 1]);
    }
    expect(everyone.size).toBe(6);
  });
});

describe('the guide to social sign-in', () => {
  it('has commands for curl that work unchanged', async () => {
    const port = await findFreePort();
    const here = `http://localhost:${port}`;
    await using world = await startSocialWorld({ dialect, port, env: { BASE_URL: here, APP_URL: here } });
    const script = blockOf('docs/social.md', '/social/google')
      .replace('http://localhost:4000', here)
      .replace('http://127.0.0.1:4020', world.simulator.url);
    const { stdout } = await promisify(execFile)('bash', ['--norc', '-eu', '-o', 'pipefail', '-c', script]);
    const lines = stdout.trim().split('\n');
    expect(lines[0]).toBe(`${here}/socialAuth?user`);
    expect(stdout).toContain("email: 'ada@byron.test'");
    expect(lines.at(-1)).toBe('false');
  });

  it('makes a simulated provider fail as it says, until a command ends that', async () => {
    await using world = await startSocialWorld({ dialect });
    const { url } = world.simulator;
    const command = blockOf('docs/social.md', '/control').replace('http://127.0.0.1:4020', url);
    const control = (script: string) => promisify(execFile)('bash', ['--norc', '-eu', '-c', script]);
    const typeOfAnswer = async () =>
      (await fetch(`${url}/google/token`, { method: 'POST', body: '' })).headers.get('content-type');
    await control(command);
    expect(await typeOfAnswer()).toBe('text/html');
    await control(command.replace('"token":"html"', '"token":null'));
    expect(await typeOfAnswer()).toContain('application/json');
  });
});
