// @module-tag slow

import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { createApp as createAdminApp } from '@gatehouse/api-admin/app';
import { blockOf, developmentEnvironment, findFreePort, startService } from '@gatehouse/testkit';
import { expect, inject, it } from 'vitest';
import { startSocialWorld } from '../test/social-world.js';

const dialect = inject('dialect');
const run = promisify(execFile);

/** Each document that has examples in curl for the demonstration, and a text of these. */
const GUIDES = [
  ['README.md', '/webauthenticate'],
  ['docs/social.md', '/social/google'],
  ['docs/joining.md', '/forgotPassword'],
  ['docs/partners.md', '/partnerAuth/registerUser'],
  ['docs/admin-service.md', '/v1/member/ban'],
] as const;

it.each([GUIDES, [...GUIDES].reverse()])(
  'the guides can be followed one after the other on one demonstration: %s first',
  { timeout: 120_000 },
  async (...guides) => {
    const port = await findFreePort();
    const env = developmentEnvironment(`http://localhost:${port}`);
    await using world = await startSocialWorld({ dialect, port, env });
    const { database } = world.service;
    await using admin = await startService(createAdminApp, { dialect, application: 'admin', database });
    for (const [document, text] of guides) {
      const script = blockOf(document, text)
        .replaceAll('http://127.0.0.1:4000', world.service.url)
        .replaceAll('http://localhost:4000', `http://localhost:${port}`)
        .replaceAll('http://127.0.0.1:4001', admin.url)
        .replaceAll('http://127.0.0.1:4020', world.simulator.url);
      const { stdout } = await run('bash', ['--norc', '-eu', '-o', 'pipefail', '-c', script]);
      expect([document, stdout]).toEqual([document, expect.not.stringMatching(/undefined|taken|"internal"/)]);
    }
  },
);
