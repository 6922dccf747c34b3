import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { facebook } from './facebook.js';
import { github } from './github.js';
import { google } from './google.js';
import { linkedin } from './linkedin.js';
import {
  findSocialProvider,
  findSocialProviderById,
  SOCIAL_PROVIDER_KEYS,
  SOCIAL_PROVIDERS,
} from './social-providers.js';
import { tiktok } from './tiktok.js';
import { twitter } from './twitter.js';

describe('the table of providers', () => {
  it('has the numbers that clients know', () => {
    const numbers = SOCIAL_PROVIDER_KEYS.map((key) => [key, findSocialProvider(key)?.providerId]);
    expect(Object.fromEntries(numbers)).toEqual({
      facebook: 1,
      twitter: 2,
      google: 3,
      linkedin: 4,
      github: 5,
      tiktok: 6,
    });
    expect(findSocialProviderById(4)?.key).toBe('linkedin');
    expect(findSocialProviderById(0)).toBeUndefined();
    for (const key of ['', 'Google', '__proto__', 'constructor'])
      expect(findSocialProvider(key)).toBeUndefined();
  });

  it('reaches every provider only by TLS', () => {
    for (const { authorizationUrl, tokenUrl, profileUrl } of SOCIAL_PROVIDERS) {
      for (const url of [authorizationUrl, tokenUrl, profileUrl])
        expect(new URL(url).protocol).toBe('https:');
    }
  });
});

describe('the profile that a provider returns', () => {
  it('is read from the userinfo of Google and LinkedIn', () => {
    const claims = {
      sub: '10769150350006150715113082367',
      name: 'Jane Doe',
      given_name: 'Jane',
      family_name: 'Doe',
      picture: 'https://pictures.example/jane.png',
      email: 'janedoe@example.com',
      email_verified: true,
    };
    expect(google.readProfile([claims])).toEqual({
      providerUserId: claims.sub,
      email: 'janedoe@example.com',
      emailVerified: true,
      displayName: 'Jane Doe',
      firstName: 'Jane',
      lastName: 'Doe',
      username: null,
      pictureUrl: claims.picture,
      accounts: {},
    });
    expect(linkedin.readProfile([{ ...claims, email_verified: 'true' }])).toMatchObject({
      emailVerified: true,
      accounts: { lnAccounts: [{ id: `urn:li:person:${claims.sub}`, name: 'Jane Doe' }] },
    });
  });

  it('vouches for an address only by a literal true', () => {
    for (const email_verified of [false, 'false', 'TRUE', 1, 'yes', null, undefined, {}, []]) {
      const claims = { sub: '1', email: 'jane@example.com', email_verified };
      expect([email_verified, google.readProfile([claims])?.emailVerified]).toEqual([email_verified, false]);
    }
    expect(google.readProfile([{ sub: '1', email_verified: true }])).toMatchObject({
      email: null,
      emailVerified: false,
    });
    expect(facebook.readProfile([{ id: '1', email: 'a@example.com', email_verified: true }])).toMatchObject({
      emailVerified: false,
    });
  });

  it('is, at GitHub, the primary address of the list and not the one shown on the profile', () => {
    const user = { id: 583231, login: 'octocat', name: null, email: 'shown@example.com' };
    const list = [
      { email: 'old@example.com', primary: false, verified: true },
      { email: 'octocat@github.com', primary: true, verified: true },
    ];
    expect(github.readProfile([user, list])).toMatchObject({
      providerUserId: '583231',
      email: 'octocat@github.com',
      emailVerified: true,
      displayName: 'octocat',
      username: 'octocat',
    });
    const unverified = [{ email: 'new@example.com', primary: true, verified: false }];
    expect(github.readProfile([user, unverified])).toMatchObject({
      email: 'new@example.com',
      emailVerified: false,
    });
    for (const odd of [undefined, null, {}, [null, 7, { primary: true }]]) {
      expect(github.readProfile([user, odd])).toMatchObject({ email: null, emailVerified: false });
    }
  });

  it('has, at Facebook, pages and the Instagram accounts behind them, without their tokens', () => {
    const page = {
      id: '9',
      name: 'Page',
      access_token: 'of the page',
      instagram_business_account: { id: '8' },
    };
    const profile = facebook.readProfile([{ id: '7', name: 'Jane', accounts: { data: [page] } }]);
    expect(profile?.accounts).toEqual({
      fbAccounts: [
        { id: '7', name: 'Jane' },
        { id: '9', name: 'Page' },
      ],
      igAccounts: [{ id: '8', name: '8' }],
    });
  });

  it('has an address at X only if its scope was requested', () => {
    const data = { id: '2244994945', name: 'Devs', username: 'XDevelopers' };
    expect(twitter.readProfile([{ data }])).toMatchObject({
      email: null,
      emailVerified: false,
      accounts: { twtAccounts: [{ id: '2244994945', name: 'XDevelopers' }] },
    });
    expect(twitter.readProfile([{ data: { ...data, confirmed_email: 'x@example.com' } }])).toMatchObject({
      email: 'x@example.com',
      emailVerified: true,
    });
    expect(twitter.profileRequests(['users.email'])[0]?.query['user.fields']).toContain('confirmed_email');
  });

  it('is read, at TikTok, from an answer that says whether the request succeeded', () => {
    const user = { open_id: '-000abc', display_name: 'Jane' };
    expect(tiktok.readProfile([{ data: { user }, error: { code: 'ok' } }])).toMatchObject({
      providerUserId: '-000abc',
      email: null,
    });
    expect(tiktok.readProfile([{ data: { user }, error: { code: 'scope_not_authorized' } }])).toBeUndefined();
  });

  it('keeps no name, address or picture that cannot be stored or shown', () => {
    const claims = {
      sub: '1',
      name: `\u0000${'x'.repeat(500)}`,
      given_name: 'Jane\r\nBcc: all@example.com',
      family_name: ' '.repeat(10),
      picture: 'javascript:alert(1)',
      email: 'not an address',
    };
    expect(google.readProfile([claims])).toMatchObject({
      displayName: null,
      firstName: null,
      lastName: null,
      pictureUrl: null,
      email: null,
    });
    expect(google.readProfile([{ sub: '1', name: 'é'.repeat(150) }])?.displayName).toHaveLength(100);
    for (const sub of ['', 'x'.repeat(201), 'a\nb', '\ud800', -1, 1.5, null, {}, true]) {
      expect([sub, google.readProfile([{ sub }])]).toEqual([sub, undefined]);
    }
  });

  it('is undefined without an error for any other answer', () => {
    fc.assert(
      fc.property(fc.array(fc.jsonValue(), { maxLength: 2 }), (answers) => {
        for (const { readProfile } of SOCIAL_PROVIDERS) readProfile(answers);
      }),
    );
    for (const { readProfile } of SOCIAL_PROVIDERS) {
      for (const answer of [undefined, null, [], {}, 'x', 7]) expect(readProfile([answer])).toBeUndefined();
    }
  });
});
