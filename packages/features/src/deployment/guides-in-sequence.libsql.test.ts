// @module-tag slow

import { execFile } from 'node:child_process';
import { readFile } from 'node:fs/promises';
import { promisify } from 'node:util';
import { createApp as createAdminApp } from '@gatehouse/api-admin/app';
import { developmentEnvironment, findFreePort, startService } from '@gatehouse/testkit';
import { expect, inject, it } from 'vitest';
import { startSocialWorld } from '../test/social-world.js';

const dialect = inject('dialect');
const run = promisify(execFile);

/** Each document that has examples in curl for the demonstration, and the heading they are below. */
const GUIDES = [
  ['README.md', '## A first login'],
  ['docs/social.md', '## A sign-in in curl'],
  ['docs/joining.md', '## Example in curl'],
  ['docs/partners.md', '## Example in curl'],
  ['docs/admin-service.md', '## A day at support'],
] as const;

async function walk(document: string, heading: string): Promise<string> {
  const text = await readFile(new URL(`../../../../${document}`, import.meta.url), 'utf8');
  return text.split(`${heading}\n`)[1]?.split('```sh\n')[1]?.split('\n```')[0] ?? '';
}

it.each([GUIDES, [...GUIDES].reverse()])(
  'the guides can be followed one after the other on one demonstration: %s first',
  { timeout: 120_000 },
  async (...guides) => {
    const port = await findFreePort();
    const env = developmentEnvironment(`http://localhost:${port}`);
    await using world = await startSocialWorld({ dialect, port, env });
    const { database } = world.service;
    await using admin = await startService(createAdminApp, { dialect, application: 'admin', database });
    for (const [document, heading] of guides) {
      const script = (await walk(document, heading))
        .replaceAll('http://127.0.0.1:4000', world.service.url)
        .replaceAll('http://localhost:4000', `http://localhost:${port}`)
        .replaceAll('http://127.0.0.1:4001', admin.url)
        .replaceAll('http://127.0.0.1:4020', world.simulator.url);
      const { stdout } = await run('bash', ['-eu', '-o', 'pipefail', '-c', script]);
      expect([document, stdout]).toEqual([document, expect.not.stringMatching(/undefined|taken|"internal"/)]);
    }
  },
);
