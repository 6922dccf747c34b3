import { createRequire } from 'node:module';
import { createApp } from '@gatehouse/api-main/app';
import { findCredential } from '@gatehouse/db/queries/passwords';
import { developmentEnvironment, rounds, startService } from '@gatehouse/testkit';
import fc from 'fast-check';
import { describe, expect, inject, it } from 'vitest';
import { z } from 'zod';

const dialect = inject('dialect');
const env = {
  ...developmentEnvironment(),
  REGISTRATIONS_PER_ADDRESS: '100000',
  MAIL_REQUESTS_PER_ADDRESS: '100000',
};
const start = () => startService(createApp, { dialect, application: 'web', env });

const naughty = z
  .array(z.string())
  .parse(createRequire(import.meta.url)('big-list-of-naughty-strings/blns.json'));

const PATHS = {
  '/register': ['username', 'password', 'email', 'firstName', 'lastName', 'accountName'],
  '/confirmationDetails': ['token'],
  '/forgotPassword': ['email'],
  '/resetPassword': ['token', 'password'],
  '/Adminsignin': ['email'],
  '/Adminlogin': ['email', 'password'],
  '/confirm': ['token'],
  '/reset': ['token', 'password'],
  '/forgot': ['email'],
} as const;

const anything = fc.oneof(
  fc.string({ unit: 'binary', maxLength: 400 }),
  fc.constantFrom(...naughty),
  fc.constantFrom('\0', '\ud800', '%', 'a@b.test\r\nBcc: c@d.test', 'ﷺ'.repeat(200), 'x'.repeat(90_000)),
  fc.jsonValue({ maxDepth: 4 }),
  fc.constantFrom(null, true, 0, -1, 2 ** 53, 1e300, [], {}, [[[[]]]]),
);

describe('input to registration and confirmation', () => {
  it.each(Object.entries(PATHS))('is answered with a status below 500: %s', async (path, names) => {
    await using service = await start();
    const body = fc.record(Object.fromEntries(names.map((name) => [name, anything])), { requiredKeys: [] });
    await fc.assert(
      fc.asyncProperty(body, async (fields) => {
        const response = await service.send(path, { body: fields });
        await response.arrayBuffer();
        expect(response.status).toBeLessThan(500);
      }),
      { numRuns: rounds({ suite: 25, stress: 1000 }) },
    );
    expect(service.logLines.filter((line) => line.includes('"event":"failure"'))).toEqual([]);
  });

  it('is stored as it was sent, or refused: every naughty string, in every field', async () => {
    await using service = await start();
    const step = Math.max(1, Math.floor(naughty.length / rounds({ suite: 16, stress: 600 })));
    for (let index = 0; index < naughty.length; index += step) {
      const text = naughty[index] ?? '';
      const email = `naughty${index}@many.test`;
      const fields = { username: text, firstName: text, lastName: text, accountName: text };
      const kept = Object.fromEntries(
        Object.entries(fields).filter(() => index % 2 === 0 || text.length < 50),
      );
      const response = await service.send('/register', {
        body: { username: `plain${index}`, ...kept, email, password: 'Analytical-Engine-1843' },
      });
      expect([text, response.status]).toEqual([
        text,
        expect.toSatisfy((status) => [200, 400, 409].includes(Number(status))),
      ]);
      const stored = await findCredential(service.database, email);
      if (response.status !== 200) expect(stored).toBeUndefined();
      else if (kept['firstName']) expect([stored?.firstName, stored?.username]).toEqual([text, text.trim()]);
    }
  });
});
