import { createApp } from '@gatehouse/api-admin/app';
import { createDataCipher } from '@gatehouse/auth-core';
import { listAudit } from '@gatehouse/db/queries/audit-log';
import { findPartnerCredential } from '@gatehouse/db/queries/partner-secrets';
import { type RunningService, signIn, startService, testConfig } from '@gatehouse/testkit';
import { describe, expect, inject, it } from 'vitest';
import { openAuditRows } from '../../audit/list-audit.js';

const dialect = inject('dialect');
const start = () => startService(createApp, { dialect, application: 'admin' });

const PROCEDURES = ['list', 'save', 'rotateSecret', 'finishRotation', 'deactivate'] as const;

interface Answer {
  readonly status: number;
  readonly data: Record<string, unknown>;
  readonly reason: string | undefined;
}

async function call(
  service: RunningService,
  token: string | undefined,
  name: (typeof PROCEDURES)[number],
  input: unknown,
): Promise<Answer> {
  const path = `/trpc/partner.${name}`;
  const response = await (name === 'list'
    ? service.send(`${path}?input=${encodeURIComponent(JSON.stringify(input))}`, { token })
    : service.send(path, { token, body: input }));
  const answer = (await response.json()) as {
    result?: { data: Record<string, unknown> };
    error?: { data: { reason: string } };
  };
  return { status: response.status, data: answer.result?.data ?? {}, reason: answer.error?.data.reason };
}

async function secretsOf(service: RunningService, name: string): Promise<string[]> {
  const found = await findPartnerCredential(service.database, { nameKey: name }, service.services.now());
  const cipher = createDataCipher({ key: testConfig().DATA_ENCRYPTION_KEY });
  return (found?.secrets ?? []).map(({ sealed }) => cipher.open(sealed, `partner:${name}:secretKey`));
}

async function auditActions(service: RunningService): Promise<string[]> {
  const { auditLog } = service.database.tables;
  const lines = await service.database.select().from(auditLog);
  return lines.filter(({ subjectKind }) => subjectKind === 'partner').map(({ action }) => action);
}

describe('the administration of partners', () => {
  it('adds a partner, and shows its secret only once', async () => {
    await using service = await start();
    const { token } = await signIn(service, 'root@gatehouse.test');
    const added = await call(service, token, 'save', {
      name: 'Nordwind',
      appUrl: 'https://nordwind.example/app/',
    });
    const secretKey = String(added.data['secretKey']);
    expect(secretKey.length).toBeGreaterThanOrEqual(32);
    expect(await secretsOf(service, 'nordwind')).toEqual([secretKey]);
    const { partnerSecrets, auditLog } = service.database.tables;
    const list = await call(service, token, 'list', {});
    expect(list.data).toMatchObject({
      data: [
        { name: 'acme-partner', active: true },
        { name: 'Nordwind', appUrl: 'https://nordwind.example/app', active: true, lastUsedAt: null },
      ],
    });
    const kept = [
      list,
      service.logLines,
      await service.database.select().from(partnerSecrets),
      await service.database.select().from(auditLog),
    ];
    expect(JSON.stringify(kept)).not.toContain(secretKey);
    expect(await auditActions(service)).toEqual(['partner.added']);
  });

  it('rotates a secret, finishes a rotation, deactivates and activates again, with an entry in the audit log each', async () => {
    await using service = await start();
    const { token } = await signIn(service, 'root@gatehouse.test');
    const [first] = await secretsOf(service, 'acme-partner');
    const rotated = await call(service, token, 'rotateSecret', { partnerId: 1, overlapSeconds: 3600 });
    const second = String(rotated.data['secretKey']);
    expect(await secretsOf(service, 'acme-partner')).toEqual([first, second]);
    const until = Date.parse(String(rotated.data['previousUntil'])) - Date.now();
    expect(Math.abs(until - 3_600_000)).toBeLessThan(60_000);
    expect((await call(service, token, 'finishRotation', { partnerId: 1 })).status).toBe(200);
    expect(await secretsOf(service, 'acme-partner')).toEqual([second]);
    for (const name of ['deactivate', 'deactivate'] as const) {
      expect((await call(service, token, name, { partnerId: 1 })).status).toBe(200);
    }
    expect((await call(service, token, 'list', {})).data).toMatchObject({ data: [{ active: false }] });
    expect((await call(service, token, 'save', { partnerId: 1, active: true })).status).toBe(200);
    expect((await call(service, token, 'list', {})).data).toMatchObject({ data: [{ active: true }] });
    expect(await auditActions(service)).toEqual([
      'partner.secret_rotated',
      'partner.rotation_finished',
      'partner.deactivated',
      'partner.changed',
    ]);
  });

  it("encrypts the actor's address under the actor's key", async () => {
    await using service = await start();
    const { token } = await signIn(service, 'root@gatehouse.test');
    await call(service, token, 'save', { name: 'Nordwind', appUrl: 'https://nordwind.example/app/' });
    await call(service, token, 'rotateSecret', { partnerId: 1, overlapSeconds: 3600 });
    await call(service, token, 'finishRotation', { partnerId: 1 });
    await call(service, token, 'deactivate', { partnerId: 1 });
    await call(service, token, 'save', { partnerId: 1, active: true });
    const { db } = service.services;
    const stored = (await listAudit(db, {}, { limit: 20 })).filter(
      ({ subjectKind }) => subjectKind === 'partner',
    );
    expect(stored).toHaveLength(5);
    expect(stored.map(({ address }) => address)).not.toContain('127.0.0.1');
    for (const line of await openAuditRows(service.services, stored)) {
      expect([line.action, line.address]).toEqual([line.action, '127.0.0.1']);
      expect(line.requestId).not.toBeNull();
    }
  });

  it('is only for staff with the permission', async () => {
    await using service = await start();
    const { token } = await signIn(service, 'staff@gatehouse.test');
    for (const name of PROCEDURES) {
      const input =
        name === 'save' ? { name: 'Nordwind', appUrl: 'https://nordwind.example' } : { partnerId: 1 };
      expect([name, (await call(service, token, name, input)).reason]).toEqual([name, 'permission_denied']);
      expect([name, (await call(service, undefined, name, input)).status]).toEqual([name, 401]);
    }
    expect(await auditActions(service)).toEqual([]);
  });

  it('answers 404 for a missing partner', async () => {
    await using service = await start();
    const { token } = await signIn(service, 'root@gatehouse.test');
    for (const name of ['save', 'rotateSecret', 'finishRotation', 'deactivate'] as const) {
      const answer = await call(service, token, name, {
        partnerId: 99,
        ...(name === 'save' ? { active: true } : {}),
      });
      expect([name, answer.reason]).toEqual([name, 'not_found']);
    }
    expect(await auditActions(service)).toEqual([]);
  });

  it('accepts a name once in fifty concurrent requests, in any spelling', async () => {
    await using service = await start();
    const { token } = await signIn(service, 'root@gatehouse.test');
    const names = Array.from(
      { length: 50 },
      (_, index) => ['Nordwind', 'NORDWIND', 'nórdwind'][index % 3] ?? '',
    );
    const answers = await Promise.all(
      names.map((name) => call(service, token, 'save', { name, appUrl: 'https://nordwind.example' })),
    );
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(1);
    expect(new Set(answers.map(({ reason }) => reason))).toEqual(new Set([undefined, 'partner_taken']));
  });

  it('refuses invalid names, addresses and changes', async () => {
    await using service = await start();
    const { token } = await signIn(service, 'root@gatehouse.test');
    const appUrl = 'https://nordwind.example';
    for (const input of [
      { name: '12345', appUrl },
      { name: '', appUrl },
      { name: 'x'.repeat(65), appUrl },
      { name: 'a\nb', appUrl },
      { name: 'Nordwind' },
      { appUrl },
      { partnerId: 1 },
      { partnerId: 1, name: 'Renamed', appUrl },
      { partnerId: 1, active: false },
      ...[
        'http://nordwind.example',
        'ftp://nordwind.example',
        'javascript:alert(1)',
        'https://user@nordwind.example',
        'https://nordwind.example/?next=1',
        'https://nordwind.example/#login',
        'https://nordwind.example/?',
        'https://nordwind.example\\@evil.example',
        ' https://nordwind.example',
        'nordwind.example',
        '//nordwind.example',
      ].map((url) => ({ name: 'Nordwind', appUrl: url })),
    ]) {
      expect([input, (await call(service, token, 'save', input)).reason]).toEqual([input, 'invalid_input']);
    }
    expect(await auditActions(service)).toEqual([]);
  });
});
