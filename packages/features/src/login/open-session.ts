import { AppError } from '@gatehouse/auth-core';
import {
  type AccessTransaction,
  type Credential,
  changeAccess,
  consumeToken,
  type Database,
  findCredentialById,
  findFirstAccountId,
  startSession,
} from '@gatehouse/db';
import type { Context } from '../app/context.js';
import { rememberOrigin } from '../app/login-limits.js';
import { recordAudit } from '../audit/record-audit.js';
import { endEarlierSignIns } from './end-earlier-sign-ins.js';

export interface OpenedSession {
  readonly token: string;
  readonly userId: number;
  readonly role: number;
  /** The lowest account the member may act in, null without one. */
  readonly accountId: number | null;
  readonly isPersonnel: boolean;
}

export type SessionKind = 'session' | 'bearer';

/**
 * Creates a login's token and its session in one transaction. Refused if the member's password, state or role
 * changed since the check, or if the one-use token was consumed.
 * @throws {AppError} `invalid_credentials` or `invalid_token`
 */
export async function openSession(
  ctx: Context,
  member: Credential,
  kind: SessionKind,
  options: {
    partnerId?: number;
    consume?: { readonly tokenKey: string; readonly expiresAtMs: number };
    /** Consumes the credential of the login. If it returns false, the login is refused without an effect. */
    claim?: (tx: Database) => Promise<boolean>;
    /** Whether the login proves the address. Earlier credentials then end, unless the owner was proven. */
    provesAddress?: boolean;
  } = {},
): Promise<OpenedSession> {
  const { services, call } = ctx;
  const nowMs = services.now();
  const accountId = await findFirstAccountId(services.db, member, options.partnerId ?? null);
  const claims = { userId: member.id, role: member.roleType, isPersonnel: member.isPersonnel };
  const sealed =
    kind === 'bearer'
      ? services.tokens.sealBearer(claims)
      : services.tokens.sealSession({ ...claims, defaultPaymentId: member.defaultPaymentId, accountId });
  const start = async (tx: Database, accessTx?: AccessTransaction): Promise<boolean> => {
    if (options.consume && !(await consumeToken(tx, options.consume))) throw new AppError('invalid_token');
    if (options.claim && !(await options.claim(tx))) return false;
    const session = await startSession(tx, {
      memberId: member.id,
      expectedPassword: member.password,
      tokenKey: sealed.tokenKey,
      kind,
      device: call.userAgent ?? '',
      address: call.address,
      partnerId: options.partnerId ?? null,
      nowMs,
      expiresAtMs: sealed.expiresAtMs,
    });
    if (!session) return false;
    const now = await findCredentialById(tx, member.id);
    if (now?.roleType !== member.roleType || now.isPersonnel !== member.isPersonnel)
      throw new AppError('invalid_credentials');
    if (accessTx) {
      const { tokenKey, expiresAtMs } = sealed;
      const device = { device: call.userAgent ?? '', address: call.address };
      const keep = { tokenKey, expiresAtMs, kind, partnerId: null, verifiedAtMs: nowMs, ...device };
      await endEarlierSignIns(accessTx, ctx, { memberId: member.id, keep });
    }
    await rememberOrigin(ctx, tx, member.id);
    await recordAudit(tx, ctx, {
      atMs: nowMs,
      action: 'session.started',
      actorId: member.id,
      subjectKind: 'session',
      subjectId: session.id,
    });
    return true;
  };
  const isStarted = options.provesAddress
    ? await changeAccess(services.db, { members: [member.id] }, (tx) => start(tx, tx))
    : await services.db.transaction((tx) => start(tx));
  if (!isStarted) throw new AppError('invalid_credentials');
  services.log.security({
    event: 'login.ok',
    requestId: call.requestId,
    address: call.address,
    actorId: member.id,
    memberId: member.id,
    accountId: accountId ?? undefined,
    partnerId: options.partnerId,
  });
  return {
    token: sealed.token,
    userId: member.id,
    role: member.roleType,
    accountId,
    isPersonnel: member.isPersonnel,
  };
}
