import { AppError } from '@gatehouse/auth-core';
import { z } from 'zod';
import { readAmr } from '../../core/app/authentication.js';
import type { Caller } from '../../core/app/caller.js';
import type { Context } from '../../core/app/context.js';
import type { FlowScope } from '../../core/app/flow.js';

/** As many passkeys as a member may have. */
export const MOST_PASSKEYS = 20;

const PASSWORD_LASTS_MS = 5 * 60_000;

/** What the flow of a new passkey belongs to. */
export function addScope({ memberId }: Pick<Caller, 'memberId'>): FlowScope {
  return { purpose: 'passkeyAdd', binding: String(memberId) };
}

const flowData = z.object({
  /** The user id the passkey was made for. */
  userId: z.string(),
  isAuto: z.boolean(),
});

export function toFlowData(data: z.output<typeof flowData>): string {
  return JSON.stringify(data);
}

export function readFlowData(data: string): z.output<typeof flowData> {
  return flowData.parse(JSON.parse(data));
}

/**
 * Requires that the caller signed in with a password within five minutes, as a passkey that is made without asking
 * needs. Such a passkey need not verify the user, so no recovery ends with it.
 * @throws {AppError} `verification_required`
 */
export function requireRecentPassword({ services, caller }: Context & { readonly caller: Caller }): void {
  const { amr, authTimeMs, recoveryId } = caller.session;
  const isRecent = authTimeMs !== null && services.now() < authTimeMs + PASSWORD_LASTS_MS;
  if (isRecent && recoveryId === undefined && readAmr(amr).includes('pwd')) return;
  const maxAgeSeconds = PASSWORD_LASTS_MS / 1000;
  throw new AppError('verification_required', { verification: { level: 1, maxAgeSeconds, methods: [] } });
}
