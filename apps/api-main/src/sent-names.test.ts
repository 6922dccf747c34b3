import { ACME_SECRET, partnerClient } from '@gatehouse/features/test/partner-client';
import { signIn, startService } from '@gatehouse/testkit';
import { describe, expect, inject, it } from 'vitest';
import { createApp } from './app.js';

const dialect = inject('dialect');

describe('the issues of a refused request', () => {
  it('name the fields of a partner sign-in as they were sent, whichever layer refused them', async () => {
    await using service = await startService(createApp, { dialect, application: 'web' });
    const { token } = await signIn(service, 'owner@acme.test');
    const pathsOf = async (body: object) => {
      const response = await service.send('/partnerAuth/partnerSignIn', { token, body });
      const { error } = (await response.json()) as { error: { issues: { path: string }[] } };
      return error.issues.map(({ path }) => path);
    };
    expect(await pathsOf({ partner: 'acme-partner', user_data: 'x', redirect_url: 5 })).toEqual([
      'user_data',
      'redirect_url',
    ]);
    expect(await pathsOf({ partner: 'acme-partner', redirect_url: 'https://elsewhere.example/' })).toEqual([
      'redirect_url',
    ]);
  });

  it('say userId for a single sign-on and userid for a path', async () => {
    await using service = await startService(createApp, { dialect, application: 'web' });
    const { token: bearer } = await partnerClient(service, {
      partnerId: 'acme-partner',
      secretKey: ACME_SECRET,
    });
    const refused = await service.send('/partnerAuth/singleSignOn', { bearer, body: { userId: 'x' } });
    expect(await refused.json()).toMatchObject({ error: { issues: [{ path: 'userId' }] } });
    const { token } = await signIn(service, 'owner@acme.test');
    const detail = await service.send('/getUserdetail/x', { token });
    expect(await detail.json()).toMatchObject({ error: { issues: [{ path: 'userid' }] } });
  });

  it('are at most fifty, however many fields are unknown', async () => {
    await using service = await startService(createApp, { dialect, application: 'web' });
    const fields = Object.fromEntries(Array.from({ length: 1_000 }, (_, index) => [`unknown${index}`, 1]));
    const query = Object.keys(fields).join('=1&');
    const answers = await Promise.all([
      service.send('/v1/signIn/password', { body: fields }),
      service.send('/trpc/signIn.password', { body: fields }),
      service.send('/webauthenticate', { body: fields }),
      service.send(`/v1/registration/confirmationDetails?${query}`),
    ]);
    for (const answer of answers) {
      const text = await answer.text();
      expect([answer.status, text.length < 8_000]).toEqual([400, true]);
    }
  });
});
