import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { createApp } from '@gatehouse/api-admin/app';
import { blockOf, startService } from '@gatehouse/testkit';
import { expect, inject, it } from 'vitest';

it('the guide for support finds, inspects, unlocks, signs out, bans and unbans a member as written', async () => {
  await using service = await startService(createApp, { dialect: inject('dialect'), application: 'admin' });
  const script = blockOf('docs/admin-service.md', '/v1/member/ban').replace(
    'http://127.0.0.1:4001',
    service.url,
  );
  const { stdout } = await promisify(execFile)('bash', ['--norc', '-eu', '-o', 'pipefail', '-c', script]);
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
