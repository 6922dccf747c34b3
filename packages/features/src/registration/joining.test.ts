import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { createApp } from '@gatehouse/api-main/app';
import { blockOf, developmentEnvironment, startService } from '@gatehouse/testkit';
import { describe, expect, inject, it } from 'vitest';

const run = promisify(execFile);

describe('the guide to joining', () => {
  it('works with curl unchanged: register, read the mail, confirm, sign in, reset, sign in', async () => {
    const dialect = inject('dialect');
    await using service = await startService(createApp, {
      dialect,
      application: 'web',
      env: developmentEnvironment(),
    });
    const script = blockOf('docs/joining.md', '/forgotPassword').replace(
      'http://127.0.0.1:4000',
      service.url,
    );
    const { stdout } = await run('bash', ['--norc', '-eu', '-o', 'pipefail', '-c', script]);
    expect(stdout.trim().split('\n')).toEqual([
      'false',
      'The address is confirmed',
      'This address is already confirmed',
      'true',
      'If an account exists for this address, we have sent an email',
      'The password has been changed. You can sign in with it now',
      'unauthorized access',
      'true',
      'If an account exists for this address, we have sent an email',
      '0',
    ]);
  });
});
