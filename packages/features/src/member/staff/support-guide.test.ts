import { execFile } from 'node:child_process';
import { readFile } from 'node:fs/promises';
import { promisify } from 'node:util';
import { createApp } from '@gatehouse/api-admin/app';
import { startService } from '@gatehouse/testkit';
import { expect, inject, it } from 'vitest';

const guide = await readFile(new URL('../../../../../docs/admin-service.md', import.meta.url), 'utf8');
const walk = guide.split('## A day at support')[1]?.split('```sh\n')[1]?.split('\n```')[0] ?? '';

it('the guide for support finds, inspects, unlocks, signs out, bans and unbans a member as written', async () => {
  await using service = await startService(createApp, { dialect: inject('dialect'), application: 'admin' });
  const script = walk.replace('http://127.0.0.1:4001', service.url);
  expect(script).toContain(service.url);
  const { stdout } = await promisify(execFile)('bash', ['-eu', '-o', 'pipefail', '-c', script]);
  expect(stdout.trim().split('\n')).toEqual([
    'live',
    'null',
    'The member can try again',
    '0',
    'All sessions have ended',
    '0',
    'The member is banned',
    'spam',
    'User Member',
  ]);
});
