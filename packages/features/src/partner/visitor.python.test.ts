import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { createApp } from '@gatehouse/api-main/app';
import { blockOf, signIn, startService } from '@gatehouse/testkit';
import { findPython } from '@gatehouse/testkit/operations';
import { describe, expect, inject, it } from 'vitest';
import { ACME_SECRET } from '../test/partner-client.js';

const dialect = inject('dialect');
const run = promisify(execFile);

const PROGRAM = `${blockOf('docs/partners.md', 'def visitor')}
import sys
try:
    print(visitor(sys.argv[1], sys.argv[2])["email"])
except jwt.InvalidTokenError as error:
    print(type(error).__name__)
`;

/** The result of the guide's function for a token signed by a service whose clock differs by some seconds. */
async function visitorAt(seconds: number, secretKey = ACME_SECRET): Promise<string> {
  const now = () => Date.now() + seconds * 1000;
  await using service = await startService(createApp, { dialect, application: 'web', now });
  const { token } = await signIn(service, 'owner@acme.test');
  const answer = await service.send('/partnerAuth/partnerSignIn', {
    token,
    body: { partner: 'acme-partner' },
  });
  const { redirectUrl } = (await answer.json()) as { redirectUrl: string };
  const signed = new URL(redirectUrl).searchParams.get('token') ?? '';
  const { stdout } = await run(findPython() ?? '', ['-c', PROGRAM, signed, secretKey]);
  return stdout.trim();
}

describe('the Python example in the guide for partners', () => {
  it('accepts a member whose token was signed up to a minute ahead of its clock', async () => {
    expect(await visitorAt(0)).toBe('owner@acme.test');
    expect(await visitorAt(50)).toBe('owner@acme.test');
    expect(await visitorAt(90)).toBe('ImmatureSignatureError');
  });

  it('refuses an expired token, and one signed with another secret', async () => {
    expect(await visitorAt(-350)).toBe('owner@acme.test');
    expect(await visitorAt(-370)).toBe('ExpiredSignatureError');
    expect(await visitorAt(0, 'x'.repeat(40))).toBe('InvalidSignatureError');
  });
});
