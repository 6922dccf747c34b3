import { beforeAll, describe, expect, it } from 'vitest';
import { catalogue } from '../messages/translate.js';
import words from './messages/en.json' with { type: 'json' };
import { issueText } from './refusals.js';

describe('a refused field', () => {
  // Without messages, each shows its name.
  beforeAll(() => catalogue.loadAndActivate({ locale: 'en', messages: {} }));

  it.each([
    'appUrl must be a URL',
    'appUrl must be https (http on the loopback only), without user, query or fragment',
    'redirectUrl must be a URL at the origin of that partner',
  ])('asks for an address if it must be one: %s', (said) => {
    expect(issueText(said)).toBe('issue.url');
  });

  it('says which redirect URIs an application may have', () => {
    const web =
      'redirectUris.1 must be an https address such as https://app.example.com/callback, with its host';
    const native =
      'redirectUris.0 must be https at a named host, http at 127.0.0.1 or [::1], or a scheme such as';
    expect([web, native].map(issueText)).toEqual(['issue.redirect', 'issue.nativeRedirect']);
  });

  it('says what keeps an application from a separate id for each member', () => {
    const host = 'Pairwise subjects need redirect URIs at one host';
    const api = 'Applications that call an API learn the ids of members';
    expect([host, api].map(issueText)).toEqual(['issue.pairwiseHost', 'issue.pairwiseApi']);
  });

  it.each([
    'name must not be a number',
    'commissionPercent must be at most 100',
    'permissions must include account.read',
    'message must be at most 2 kB',
    '',
  ])('is never shown in the words of the service: %s', (said) => {
    expect(issueText(said)).toBe('issue.other');
    expect(words).toHaveProperty(['issue.other']);
  });
});
