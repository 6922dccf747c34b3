import { facebookSignedRequest, ROBIN, simulatedClient } from '@gatehouse/simulator';
import type { RunningService } from '@gatehouse/testkit';
import { describe, expect, inject, it } from 'vitest';
import { z } from 'zod';
import { countRows } from '../test/count-rows.js';
import { dumpDatabase } from '../test/dump-database.js';
import { socialSession } from '../test/social-session.js';
import { startSocialWorld } from '../test/social-world.js';

const dialect = inject('dialect');
const start = (env: Record<string, string> = {}) => startSocialWorld({ dialect, env });
const { secret } = simulatedClient('facebook');

/** The example in Facebook's guide to signed requests; its secret is the word "secret". */
const PUBLISHED =
  'vlXgu64BQGFSQrY0ZcJBZASMvYvTHu9GQ0YM9rjPSso.eyJhbGdvcml0aG0iOiJITUFDLVNIQTI1NiIsIjAiOiJwYXlsb2FkIn0';

const answer = z.object({ url: z.string(), confirmation_code: z.string().regex(/^[0-9a-f]{32}$/) });

const FORM = { 'content-type': 'application/x-www-form-urlencoded' };

function ask(service: RunningService, signedRequest: string): Promise<Response> {
  const body = new URLSearchParams({ signed_request: signedRequest }).toString();
  return service.send('/social/facebook/dataDeletion', { body, headers: FORM });
}

const signed = (payload: object) => facebookSignedRequest(secret, payload);

describe('a request to delete data from Facebook', () => {
  it('removes the connection and every trace of the person’s id, and reports the result', async () => {
    await using world = await start();
    const { service } = world;
    const { token, userId } = await socialSession(service, 'facebook', { email: '' });
    expect(await dumpDatabase(service.database)).toContain(ROBIN.id);
    const response = await ask(service, signed({ user_id: ROBIN.id, issued_at: 1 }));
    expect(response.status).toBe(200);
    const { url, confirmation_code: code } = answer.parse(await response.json());
    expect(url).toBe(`http://127.0.0.1:4000/social/facebook/dataDeletion/${code}`);
    expect(await dumpDatabase(service.database)).not.toContain(ROBIN.id);
    expect(await countRows(service.database)).toMatchObject({ socialConnections: 0, members: 12 });

    const page = await service.send(new URL(url).pathname);
    expect(page.status).toBe(200);
    expect(page.headers.get('content-type')).toMatch(/^text\/html/);
    expect(await page.text()).toContain('was deleted on');
    // The member stays signed in, with an identifier that does not identify them.
    const me = await service.send('/auth/me', { token });
    expect(await me.json()).toMatchObject({ member: { id: userId, sid: `facebook:deleted-${code}` } });
    // A person who comes back through Facebook is a new member.
    expect((await socialSession(service, 'facebook', { email: '' })).userId).not.toBe(userId);
  });

  it('may be repeated, even concurrently, and be about an unknown person', async () => {
    await using world = await start();
    const { service } = world;
    await socialSession(service, 'facebook');
    const requests = Array.from({ length: 10 }, () => ask(service, signed({ user_id: ROBIN.id })));
    const codes = await Promise.all(
      requests.map(async (request) => answer.parse(await (await request).json()).confirmation_code),
    );
    expect(new Set(codes).size).toBe(1);
    const unknown = await ask(service, signed({ user_id: 987654321 }));
    expect(answer.parse(await unknown.json()).confirmation_code).not.toBe(codes[0]);
    expect(await countRows(service.database)).toMatchObject({ socialConnections: 0 });
    await socialSession(service, 'facebook', { email: 'robin-again@rivera.test' });
    const again = answer.parse(await (await ask(service, signed({ user_id: ROBIN.id }))).json());
    expect(again.confirmation_code).toBe(codes[0]);
    expect(await countRows(service.database)).toMatchObject({ socialConnections: 0 });
  });

  it('does not affect the connections of others and of other providers', async () => {
    await using world = await start();
    const { service } = world;
    await socialSession(service, 'facebook', { id: '1', email: '' });
    await socialSession(service, 'tiktok', { id: '2' });
    await ask(service, signed({ user_id: '2' }));
    expect(await countRows(service.database)).toMatchObject({ socialConnections: 2 });
  });

  it('is refused unless Facebook signed it', async () => {
    await using world = await start();
    const { service } = world;
    await socialSession(service, 'facebook');
    const good = signed({ user_id: ROBIN.id });
    const [signature = '', payload = ''] = good.split('.');
    const other = Buffer.from(JSON.stringify({ algorithm: 'HMAC-SHA256', user_id: '1' })).toString(
      'base64url',
    );
    const refused = [
      `${signature}.${other}`,
      `${signature.slice(0, -1)}${signature.endsWith('A') ? 'B' : 'A'}.${payload}`,
      facebookSignedRequest('another secret', { user_id: ROBIN.id }),
      signed({ user_id: ROBIN.id, algorithm: 'HMAC-SHA1' }),
      signed({ user_id: ROBIN.id, algorithm: 'none' }),
      `${signature}${payload}`,
      `${good}.${payload}`,
      `.${payload}`,
      `${signature}.`,
      '.',
      '',
      '!!!.???',
      `${signature}==.${payload}`,
      signed({}),
      signed({ user_id: null }),
      signed({ user_id: { toString: 1 } }),
      PUBLISHED,
    ];
    for (const text of refused) {
      const response = await ask(service, text);
      expect([text, response.status]).toEqual([text, 400]);
      expect(await response.json()).toMatchObject({ error: { code: 'invalid_signature' } });
    }
    expect((await service.send('/social/facebook/dataDeletion', { method: 'POST' })).status).toBe(400);
    expect(await countRows(service.database)).toMatchObject({ socialConnections: 1 });
    expect((await service.send('/social/facebook/dataDeletion')).status).toBe(405);
    expect((await service.send('/social/facebook/dataDeletion/unknown')).status).toBe(404);
  });

  it('is 404 while Facebook is not set up', async () => {
    await using world = await start({ FACEBOOK_CLIENT_ID: '' });
    expect((await ask(world.service, signed({ user_id: '1' }))).status).toBe(404);
  });
});
