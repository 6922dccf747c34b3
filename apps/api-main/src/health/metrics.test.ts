import { loginFrom } from '@gatehouse/features/test/login-from';
import { signInByPassword, startService } from '@gatehouse/testkit';
import { describe, expect, inject, it } from 'vitest';
import { createApp } from '../app.js';

const dialect = inject('dialect');

describe('the metrics', () => {
  it('count logins, hashes, refusals, access checks, changes, mails and requests', async () => {
    await using service = await startService(createApp, {
      dialect,
      application: 'web',
      env: { LOGIN_FAILURES_PER_MEMBER: '2' },
    });
    const { token } = await signInByPassword(service, 'owner@acme.test');
    const wrong = { email: 'manager@acme.test', password: 'not-the-password' };
    for (let index = 0; index < 3; index += 1) await loginFrom(service, '127.0.7.1', wrong);
    for (let index = 0; index < 4; index += 1) await service.send('/auth/me', { token, accountId: 1 });
    await service.send(`/getUserdetail7`, { token, accountId: 1 });
    await service.send('/nothing/of-ours', { token });
    await service.send('/trpc/session.me,session.me,nobody.knows?batch=1&input={}', { token });
    await service.send('/forgotPassword', { body: { email: 'owner@acme.test' } });
    await service.send('/auth/logout', { method: 'POST', token });
    await service.send('/auth/me', { token });
    const { text } = await service.services.metrics.render();
    const value = (line: string) => {
      const found = text.split('\n').find((each) => each.startsWith(`${line} `));
      return found === undefined ? undefined : Number(found.slice(line.length + 1));
    };
    expect(value('gatehouse_logins_total{outcome="ok"}')).toBe(1);
    expect(value('gatehouse_logins_total{outcome="failed"}')).toBe(2);
    expect(value('gatehouse_logins_total{outcome="limited"}')).toBe(1);
    expect(value('gatehouse_limited_total{limit="login"}')).toBe(1);
    expect(value('gatehouse_password_hash_seconds_count')).toBe(3);
    expect(value('gatehouse_password_hash_queue')).toBe(0);
    expect(value('gatehouse_password_hash_shed_total')).toBe(0);
    expect(value('gatehouse_access_checks_total')).toBeGreaterThan(6);
    expect(value('gatehouse_access_change_reads_total')).toBeGreaterThan(0);
    expect(value('gatehouse_access_loads_total')).toBeGreaterThan(0);
    expect(value('gatehouse_revocation_lag_seconds_count')).toBeGreaterThan(0);
    expect(value('gatehouse_mail_backlog')).toBe(1);
    expect(value('gatehouse_webhook_backlog')).toBe(0);
    expect(value('gatehouse_limits_shared')).toBe(1);
    const requests = (route: string, status: string, transport = 'rest') =>
      value(
        `gatehouse_request_duration_seconds_count{door="${transport}",route="${route}",status="${status}"}`,
      );
    expect(requests('/auth/me', '2xx')).toBe(4);
    expect(requests('/auth/me', '4xx')).toBe(1);
    expect(requests('-', '4xx')).toBe(1);
    expect(requests('batch', '2xx', 'trpc')).toBe(1);
    expect(text).not.toContain('of-ours');
    expect(text).not.toContain('nobody.knows');
  });

  it('are served while the database is down', async () => {
    await using service = await startService(createApp, { dialect, application: 'web' });
    await service.database.close();
    const { text } = await service.services.metrics.render();
    expect(text).toContain('gatehouse_mail_backlog Nan\n');
    expect(text).toContain('gatehouse_logins_total{outcome="ok"} 0\n');
  });
});
