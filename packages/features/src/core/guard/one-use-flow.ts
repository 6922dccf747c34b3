import { AppError, randomToken, sha256Hex } from '@gatehouse/auth-core';
import type { Database } from '@gatehouse/db/database';
import { consumeToken, isTokenConsumed } from '@gatehouse/db/queries/refresh-session';
import { z } from 'zod';
import type { Context, Services } from '../context.js';
import { limitPerAddress } from '../rate-limit/count-attempt.js';

const LIFE_MS = 15 * 60_000;

/** Anything longer was not made here. */
const LONGEST = 4_000;

/** What a flow is begun for. One of another purpose is refused. */
type FlowPurpose = 'passkeySignIn' | 'passkeyStep' | 'passkeyVerify' | 'passkeyAdd' | 'emailSignIn';

/** A flow as clients send it back. */
export const flowSchema = z.string().max(LONGEST);

/** An open flow. */
export interface Flow {
  /** 256 random bits in base64url: the challenge of a passkey, or what a mailed code is bound to. */
  readonly id: string;
  readonly beganAtMs: number;
  readonly expiresAtMs: number;
  /** The text with which it was begun. */
  readonly data: string;
}

/** The binding of a flow, besides its deployment. */
export interface FlowScope {
  readonly purpose: FlowPurpose;
  /** The session, challenge or member it belongs to; empty if there is none yet. */
  readonly binding?: string;
}

const sealedSchema = z.object({ id: z.string(), beganAtMs: z.number(), data: z.string() });

/**
 * Begins a flow: an encrypted text that the client keeps and sends back within 15 minutes. Nothing is stored. Only this
 * deployment can decrypt it, for this purpose and binding.
 * @param id of an unused flow of the same browser, which is continued
 */
export function beginFlow(
  services: Pick<Services, 'cipher' | 'deployment' | 'now'>,
  scope: FlowScope,
  data = '',
  id = randomToken(),
): { readonly flow: string; readonly id: string } {
  const sealed = JSON.stringify({ id, beganAtMs: services.now(), data });
  return { flow: services.cipher.seal(sealed, contextOf(services, scope)), id };
}

/**
 * Opens what `beginFlow` gave. It stays usable until `consumeFlow`.
 * @throws {AppError} `invalid_challenge` for one that is too old, of another purpose, binding or deployment, or none
 */
export function openFlow(
  services: Pick<Services, 'cipher' | 'deployment' | 'now'>,
  sent: string,
  scope: FlowScope,
): Flow {
  const { id, beganAtMs, data } = sealedSchema.parse(JSON.parse(unseal(services, sent, scope)));
  const expiresAtMs = beganAtMs + LIFE_MS;
  if (services.now() >= expiresAtMs) throw new AppError('invalid_challenge');
  return { id, beganAtMs, expiresAtMs, data };
}

/** Whether a flow was used up. */
export function isFlowConsumed({ db }: Pick<Services, 'db'>, id: string): Promise<boolean> {
  return isTokenConsumed(db, flowKey(id));
}

/**
 * Uses a flow up, in the transaction of what it allows.
 * @throws {AppError} `invalid_challenge` for all except one of any number of uses, on any node
 */
export async function consumeFlow(tx: Database, { id, expiresAtMs }: Flow): Promise<void> {
  // While it was open it may have been encrypted again, for the same time once more.
  const until = { tokenKey: flowKey(id), expiresAtMs: expiresAtMs + LIFE_MS };
  if (!(await consumeToken(tx, until))) throw new AppError('invalid_challenge');
}

function flowKey(id: string): string {
  return sha256Hex(`flow:${id}`);
}

/**
 * Counts a flow that somebody begins without being signed in.
 * @throws {AppError} `rate_limited`
 */
export async function limitFlows(ctx: Context): Promise<void> {
  const most = ctx.services.config.FLOWS_PER_ADDRESS;
  await limitPerAddress(ctx, { name: 'flow', most, windowMs: LIFE_MS });
}

function unseal(services: Pick<Services, 'cipher' | 'deployment'>, sent: string, scope: FlowScope): string {
  try {
    return services.cipher.open(sent, contextOf(services, scope));
  } catch (cause) {
    throw new AppError('invalid_challenge', { cause });
  }
}

function contextOf(
  { deployment }: Pick<Services, 'deployment'>,
  { purpose, binding = '' }: FlowScope,
): string {
  return `flow:${deployment.application}:${purpose}:${binding}`;
}
