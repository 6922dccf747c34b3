import { setTimeout as pause } from 'node:timers/promises';
import { createApp } from '@gatehouse/api-main/app';
import { findPartner, recordPartnerUse } from '@gatehouse/db/queries/partners';
import { startService } from '@gatehouse/testkit';
import { expect, inject, it } from 'vitest';
import { ACME_SECRET } from '../test/partner-client.js';

it("a partner's authentication locks the partner before its secret, as a rotation does", async () => {
  await using service = await startService(createApp, { dialect: inject('dialect'), application: 'web' });
  const { database, send } = service;
  const partner = await findPartner(database, { id: 1 });
  if (!partner) throw new Error('the demonstration has a partner');
  let attempts = 0;
  let answer: Promise<Response> | undefined;
  await database.transaction(async (tx) => {
    attempts += 1;
    await recordPartnerUse(tx, { partnerId: partner.id, nowMs: Date.now() });
    answer ??= send('/partnerAuth/partnerAuthentication', {
      body: { partnerId: partner.name, secretKey: ACME_SECRET },
    });
    await pause(500);
    // Fails when it is already locked, and the transaction runs again.
    const sql = 'select id from partner_secrets where partner_id = ? for update nowait';
    await tx.write({ toSQL: () => ({ sql, params: [partner.id] }) });
  });
  expect((await answer)?.status).toBe(200);
  expect(attempts).toBe(1);
});
