import { AppError } from '@gatehouse/auth-core';
import { type ListedPartner, listPartners } from '@gatehouse/db/queries/partners';
import { idCursor, listInput, listView, openCursor, toPage } from '@gatehouse/http/page';
import { z } from 'zod';
import { change } from '../../audit/change.js';
import type { Caller } from '../../core/guard/caller.js';
import { FRESH } from '../../core/guard/freshness.js';
import type { Guarded } from '../../core/guard/guarded.js';
import { staffProcedure } from '../../core/guard/procedure.js';
import { addPartner } from '../add-partner.js';
import { changePartner, type PartnerChange, stopPartner } from '../change-partner.js';
import { appUrlSchema, partnerExternalIdSchema, partnerNameSchema } from '../partner-schemas.js';
import { finishPartnerRotation, rotatePartnerSecret } from '../rotate-partner-secret.js';

/** A partner as administrators see it. The secrets themselves are not included. */
const partnerView = z.object({
  id: z.int(),
  name: z.string(),
  /** The id that another system gave the partner. */
  externalId: z.string().nullable(),
  appUrl: z.string(),
  active: z.boolean(),
  createdAt: z.iso.datetime(),
  lastUsedAt: z.iso.datetime().nullable(),
  secrets: z.array(
    z.object({
      id: z.int(),
      createdAt: z.iso.datetime(),
      retiresAt: z.iso.datetime().nullable(),
      lastUsedAt: z.iso.datetime().nullable(),
    }),
  ),
});

function toPartnerView(row: ListedPartner): z.output<typeof partnerView> {
  return {
    id: row.id,
    name: row.name,
    externalId: row.externalId,
    appUrl: row.appUrl,
    active: row.isActive,
    createdAt: dateOf(row.createdAtMs),
    lastUsedAt: maybeDateOf(row.lastUsedAtMs),
    secrets: row.secrets.map((secret) => ({
      id: secret.id,
      createdAt: dateOf(secret.createdAtMs),
      retiresAt: maybeDateOf(secret.retiresAtMs),
      lastUsedAt: maybeDateOf(secret.lastUsedAtMs),
    })),
  };
}

function dateOf(atMs: number): string {
  return new Date(atMs).toISOString();
}

function maybeDateOf(atMs: number | null): string | null {
  return atMs === null ? null : dateOf(atMs);
}

/** All partners, deactivated ones included. */
export const list = staffProcedure('partner.manage')
  .meta({ about: { summary: 'List partners' } })
  .input(listInput({}))
  .output(listView(partnerView))
  .query(async ({ ctx, input }) => {
    const [afterId] = openCursor(input.cursor, idCursor) ?? [0];
    const rows = await listPartners(ctx.services.db, { afterId, limit: input.limit + 1 });
    return toPage(rows, input.limit, ({ id }) => [id], toPartnerView);
  });

/**
 * Lets a staff member change a partner. The audit line is in the same transaction; the security log follows
 * after the commit.
 */
async function changeByStaff<Result>(
  ctx: Guarded<{ readonly caller: Caller }>,
  reason: string,
  body: (by: PartnerChange) => Promise<Result>,
): Promise<Result> {
  const { services, call, caller } = ctx;
  const { address, requestId } = call;
  const actorId = caller.memberId;
  const result = await change(ctx, {}, ({ tx: db, nowMs }) => body({ db, services, call, nowMs, actorId }));
  services.log.security({ event: 'admin.change', requestId, address, actorId, reason });
  return result;
}

const savedPartner = z
  .object({
    /** The partner to change. Without it a new one is added. */
    partnerId: z.int().positive().optional(),
    name: partnerNameSchema.optional(),
    /** The id of a new partner in the replaced system, which the partner's systems send as partnerId. */
    externalId: partnerExternalIdSchema.optional(),
    appUrl: appUrlSchema.optional(),
    /** Whether to reactivate a deactivated partner. */
    active: z.literal(true).optional(),
  })
  .superRefine(({ partnerId, name, externalId, appUrl, active }, context) => {
    const issue = (path: string, message: string) => {
      context.addIssue({ code: 'custom', path: [path], message });
    };
    if (partnerId === undefined) {
      if (name === undefined) issue('name', 'A name is needed');
      if (appUrl === undefined) issue('appUrl', 'An appUrl is needed');
    } else {
      if (name !== undefined) issue('name', 'The name of a partner never changes');
      if (externalId !== undefined) issue('externalId', 'The id of a partner never changes');
      if (appUrl === undefined && active === undefined) issue('appUrl', 'There is nothing to change');
    }
  });

/**
 * Adds a partner and shows its secretKey, only this once. With a partnerId it changes one. A name never changes,
 * because the partner's own systems send it.
 */
export const save = staffProcedure('partner.manage', { fresh: FRESH })
  .meta({ about: { summary: 'Add or change a partner', refuses: ['not_found', 'partner_taken'] } })
  .input(savedPartner)
  .output(z.object({ partnerId: z.int(), secretKey: z.string().nullable() }))
  .mutation(async ({ ctx, input: { partnerId, name, externalId, appUrl, active } }) => {
    if (partnerId !== undefined) {
      await changeByStaff(ctx, 'partner.changed', (by) =>
        changePartner(by, { id: partnerId, appUrl, isActive: active }),
      );
      return { partnerId, secretKey: null };
    }
    if (name === undefined || appUrl === undefined) throw new AppError('invalid_input');
    const added = await changeByStaff(ctx, 'partner.added', (by) =>
      addPartner(by, { name, externalId, appUrl }),
    );
    return { partnerId: added.id, secretKey: added.secretKey };
  });

/** Deactivates a partner. Its tokens and the sessions it began are refused from the next call on. */
export const deactivate = staffProcedure('partner.manage', { fresh: FRESH })
  .meta({ about: { summary: 'Deactivate a partner', refuses: ['not_found'] } })
  .input(z.object({ partnerId: z.int().positive() }))
  .output(z.object({ partnerId: z.int() }))
  .mutation(async ({ ctx, input: { partnerId } }) => {
    await changeByStaff(ctx, 'partner.deactivated', (by) => stopPartner(by, partnerId));
    return { partnerId };
  });

const DAY_SECONDS = 86_400;

const rotatedSecret = z.object({
  partnerId: z.int().positive(),
  /** How long the previous secret also works; 0 ends it at once. */
  overlapSeconds: z
    .int()
    .min(0)
    .max(90 * DAY_SECONDS)
    .default(7 * DAY_SECONDS),
});

/** Gives a partner a new secretKey and shows it, only this once. */
export const rotateSecret = staffProcedure('partner.manage', { fresh: FRESH })
  .meta({ about: { summary: 'Give a partner a new secret', refuses: ['not_found'] } })
  .input(rotatedSecret)
  .output(z.object({ secretKey: z.string(), previousUntil: z.iso.datetime().nullable() }))
  .mutation(async ({ ctx, input: rotation }) => {
    const { secretKey, previousUntilMs } = await changeByStaff(ctx, 'partner.secret_rotated', (by) =>
      rotatePartnerSecret(by, rotation),
    );
    const previousUntil = previousUntilMs === null ? null : new Date(previousUntilMs).toISOString();
    return { secretKey, previousUntil };
  });

/** Ends a rotation early: from the next call on only the newest secretKey works. */
export const finishRotation = staffProcedure('partner.manage', { fresh: FRESH })
  .meta({ about: { summary: "End a partner's older secrets now", refuses: ['not_found'] } })
  .input(z.object({ partnerId: z.int().positive() }))
  .output(z.object({ partnerId: z.int() }))
  .mutation(async ({ ctx, input: { partnerId } }) => {
    await changeByStaff(ctx, 'partner.rotation_finished', (by) => finishPartnerRotation(by, partnerId));
    return { partnerId };
  });
