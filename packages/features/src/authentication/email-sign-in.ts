import { AppError, emailKey, loginNameSchema, readDigits, sha256Hex } from '@gatehouse/auth-core';
import { type Credential, findCredential } from '@gatehouse/db/queries/passwords';
import { findReturningHolder, type ReturningHolder } from '@gatehouse/db/queries/read-members';
import { z } from 'zod';
import { recordRefusal } from '../audit/security-events.js';
import type { Context, Services } from '../core/context.js';
import { beginFlow, flowSchema, isFlowConsumed, limitFlows, openFlow } from '../core/guard/one-use-flow.js';
import { publicProcedure } from '../core/guard/procedure.js';
import { limitPerAddress } from '../core/rate-limit/count-attempt.js';
import { type AskedFrom, askedFrom } from '../core/rate-limit/known-device.js';
import { requireOwnSignIn } from '../core/required-sso.js';
import { consumeMailLimit, limitMailRequests, storeHeldMail } from '../mail/limit-mails.js';
import { writeMail } from '../mail/queue-mail.js';
import { mailReturn } from '../mail/restore-link.js';
import { applicationTypeOf, finishSignIn } from './finish-sign-in.js';
import { mailedCodeSchema } from './second-factor/factor-codes.js';
import { signedInView, toSignedIn } from './sign-in-answer.js';
import { compareMailedPart, makeSignInMail, maySignInByMail, storeSignInCodes } from './sign-in-mail.js';

/**
 * Mails a code and a link to sign in with to the address of a member, confirmed or not: signing in proves it. The answer and the
 * work are the same for any other address: a flow for this browser, without which neither code nor link is accepted. With the
 * earlier flow in the next request, the codes and links of both mails are accepted with the new flow. Somebody who deleted
 * themselves gets the link to come back.
 */
export const requestSignInEmail = publicProcedure
  .meta({
    about: {
      summary: 'Ask for a code and a link to sign in by mail',
      refuses: ['not_found', 'rate_limited', 'sso_required'],
    },
  })
  .input(
    z.object({
      email: loginNameSchema,
      /** The flow that this browser was given for the last mail to the same address. */
      flow: flowSchema.optional(),
    }),
  )
  .output(z.object({ message: z.string(), data: z.object({ flow: z.string() }) }))
  .mutation(async ({ ctx, input: { email, flow: earlier } }) => {
    const { services } = ctx;
    requireEmailSignIn(ctx);
    await limitFlows(ctx);
    await limitMailRequests(ctx);
    const key = emailKey(email);
    await requireOwnSignIn(services, key);
    const found = await findCredential(services.db, key);
    const { flow, id } = await beginOrGoOn(services, sha256Hex(key), earlier);
    const member = found?.emailKey === key ? found : undefined;
    const deleted = await findReturningHolder(services.db, { emailKey: key, nowMs: services.now() });
    const share = await askedFrom(ctx, member?.id);
    await queueMails(services, { flowId: id, email, key, member, deleted, share });
    services.wakeups.wake('mail');
    return { message: 'If an account exists for this address, we have sent a code', data: { flow } };
  });

/** @throws {AppError} `not_found` where sign-in by mail is switched off */
export function requireEmailSignIn({ services }: Pick<Context, 'services'>): void {
  if (!services.config.EMAIL_SIGN_IN) throw new AppError('not_found');
}

/** A flow for an address: the earlier one, if it is open, unused and for the same address; else a new one. */
async function beginOrGoOn(services: Services, address: string, earlier: string | undefined) {
  const scope = { purpose: 'emailSignIn' } as const;
  try {
    const { id, data } = openFlow(services, earlier ?? '', scope);
    const goesOn = data === address && !(await isFlowConsumed(services, id));
    return beginFlow(services, scope, address, goesOn ? id : undefined);
  } catch (error) {
    if (!(error instanceof AppError)) throw error;
    return beginFlow(services, scope, address);
  }
}

async function queueMails(
  services: Services,
  asked: {
    flowId: string;
    email: string;
    key: string;
    member: Credential | undefined;
    deleted: ReturningHolder | undefined;
    share: AskedFrom;
  },
): Promise<void> {
  const { flowId, email, key, member, deleted, share } = asked;
  const nowMs = services.now();
  const mayEnter = member !== undefined && maySignInByMail(member, nowMs);
  const to = (mayEnter ? member.email : null) ?? email;
  // As for one-time passwords: codes for an unknown address belong to a negative number, always the same for the address.
  const memberId = mayEnter ? member.id : -1 - Number.parseInt(sha256Hex(key).slice(0, 12), 16);
  const made = makeSignInMail(services, flowId, { memberId, emailKey: key });
  const mail = {
    kind: 'signInCode',
    to,
    ...(mayEnter ? { memberId: member.id } : { isVoid: true }),
    share,
    data: made.data,
  } as const;
  await services.db.transaction(async (tx) => {
    if (!mayEnter && deleted !== undefined) {
      await storeSignInCodes(tx, made);
      return mailReturn(tx, services, { deleted, share });
    }
    // An address at its bound gets no mail, and this flow no code.
    if (!(await consumeMailLimit(tx, services, mail))) return void (await storeHeldMail(tx, services, mail));
    if (await storeSignInCodes(tx, made)) await writeMail(tx, services, mail);
  });
}

const LIMIT_WINDOW_MS = 15 * 60_000;

const input = z
  .object({
    flow: flowSchema,
    /** The digits in the mail. */
    code: mailedCodeSchema.optional(),
    /** What follows `#email=` in the mail's link. */
    token: z.string().min(1).max(100).optional(),
  })
  .refine(({ code, token }) => (code === undefined) !== (token === undefined), {
    message: 'Send either a code or a token',
  });

/**
 * Signs in with the code or the link of a mail, once, within ten minutes, and only with the flow that
 * `signIn.requestEmail` gave to the browser that asked.
 */
export const signInByEmail = publicProcedure
  .meta({
    about: {
      summary: 'Sign in with the code or link of a mail',
      refuses: [
        'invalid_challenge',
        'invalid_credentials',
        'second_factor_required',
        'role_not_allowed',
        'sso_required',
        'not_found',
        'rate_limited',
      ],
      credentials: ['code', 'emailAndPassword'],
      readsApptype: true,
    },
  })
  .input(input)
  .output(signedInView)
  .mutation(async ({ ctx, input: sent }) => {
    const { services, call } = ctx;
    requireEmailSignIn(ctx);
    const application = applicationTypeOf(ctx, services.deployment.application);
    const flow = openFlow(services, sent.flow, { purpose: 'emailSignIn' });
    await limitPerAddress(ctx, {
      name: 'email-sign-in',
      most: services.config.LOGIN_FAILURES_PER_ADDRESS,
      windowMs: LIMIT_WINDOW_MS,
    });
    const said =
      sent.code === undefined
        ? ({ part: 'token', text: sent.token ?? '' } as const)
        : ({ part: 'code', text: readDigits(sent.code, 8) ?? '' } as const);
    const { mayTry, holder, memberId, right } = await compareMailedPart(ctx, flow, said);
    if (right === undefined) {
      await recordRefusal(ctx, { memberId, login: String(holder), outcome: mayTry ? 'failed' : 'locked' });
      services.log.security({
        event: mayTry ? 'login.failed' : 'login.limited',
        requestId: call.requestId,
        address: call.address,
        memberId,
        reason: 'email',
      });
      throw new AppError('invalid_credentials', { sent: 'code' });
    }
    const session = await finishSignIn(ctx, right.member, {
      kind: 'session',
      methods: ['email'],
      application,
      claim: right.claim,
      provesAddress: true,
    });
    services.wakeups.wake('mail');
    return toSignedIn(ctx, session);
  });
