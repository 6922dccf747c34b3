import { AppError, loginNameSchema, plainToken, submittedPasswordSchema } from '@gatehouse/auth-core';
import { z } from 'zod';
import { publicProcedure } from '../core/guard/procedure.js';
import { memberView, toMemberView } from '../core/member-view.js';
import { rememberOrigin } from '../core/rate-limit/login-limits.js';
import { checkPassword } from './check-password.js';
import { applicationTypeOf, finishSignIn } from './finish-sign-in.js';
import { signedInView, toSignedIn } from './sign-in-answer.js';
import { redeemLoginToken } from './token-sign-in.js';

const passwordInput = z
  .object({
    email: loginNameSchema.optional(),
    /** The login identifier, if it is not the e-mail. */
    sid: loginNameSchema.optional(),
    password: submittedPasswordSchema,
    /** Sent by owners who may sign in without the identity provider that their account requires, and by staff. */
    withoutSso: z.boolean().optional(),
  })
  .refine(({ email, sid }) => (email === undefined) !== (sid === undefined), {
    message: 'Send either an email or a sid',
  });

/** Signs in with a password. Where a second step is due, the refusal has the challenge for `signIn.step`. */
export const signInByPassword = publicProcedure
  .meta({
    about: {
      summary: 'Sign in with a password',
      refuses: [
        'invalid_credentials',
        'second_factor_required',
        'role_not_allowed',
        'rate_limited',
        'legacy_unavailable',
        'sso_required',
      ],
      readsApptype: true,
    },
  })
  .input(passwordInput)
  .output(signedInView)
  .mutation(async ({ ctx, input: sent }) => {
    const application = applicationTypeOf(ctx, ctx.services.deployment.application);
    const login = sent.email ?? sent.sid;
    if (login === undefined) throw new AppError('invalid_input');
    const member = await checkPassword(ctx, login, sent.password, { withoutSso: sent.withoutSso });
    const session = await finishSignIn(ctx, member, { kind: 'session', methods: ['pwd'], application });
    return toSignedIn(ctx, session);
  });

/** The input of a password login. `email` is matched against the member's sid, then the e-mail. */
const passwordLogin = z.object({ email: loginNameSchema, password: submittedPasswordSchema });

/** The answer of every login that creates a session. */
export const sessionView = z.object({
  token: z.string(),
  userId: z.int(),
  role: z.int(),
  accountId: z.int().nullable(),
});

const webInput = z
  .object({
    email: loginNameSchema.optional(),
    /** The login identifier, if it is not the e-mail. */
    sid: loginNameSchema.optional(),
    password: submittedPasswordSchema.optional(),
    /** Signs in with a social callback token or a partner login token. */
    tempLogin: z.boolean().optional(),
    /** Signs in with a social callback token. */
    social: z.boolean().optional(),
    token: z.string().optional(),
    /** As for `signIn.password`. */
    withoutSso: z.boolean().optional(),
  })
  .superRefine((value, context) => {
    const issue = (path: string, message: string) => {
      context.addIssue({ code: 'custom', path: [path], message });
    };
    if (value.tempLogin && value.social) issue('social', 'Either tempLogin or social, not both');
    if (value.tempLogin || value.social) return;
    if (value.email === undefined && value.sid === undefined) issue('email', 'An email or a sid is needed');
    if (value.password === undefined) issue('password', 'A password is needed');
  });

/**
 * The login of web, mobile, designer and admin applications, with a password or the one-use token of a social,
 * partner or single sign-on. The `Apptype` header names the application.
 */
export const webLogin = publicProcedure
  .input(webInput)
  .output(sessionView)
  .mutation(async ({ ctx, input: { email, sid, password, tempLogin, social, token, withoutSso } }) => {
    const application = applicationTypeOf(ctx, ctx.services.deployment.application);
    if (tempLogin || social) {
      const { member, ...redeemed } = await redeemLoginToken(ctx, {
        token,
        email,
        accepts: social ? ['socialLogin'] : ['socialLogin', 'partnerLogin', 'ssoLogin'],
      });
      return finishSignIn(ctx, member, { kind: 'session', application, ...redeemed });
    }
    const login = email ?? sid;
    if (login === undefined || password === undefined) throw new AppError('invalid_input');
    const member = await checkPassword(ctx, login, password, { withoutSso });
    return finishSignIn(ctx, member, { kind: 'session', methods: ['pwd'], application });
  });

/** Signs in with a Scheme B bearer token, for older and native integrations. */
export const bearerLogin = publicProcedure
  .input(passwordLogin)
  .output(z.object({ token: z.string(), userId: z.int(), role: z.int(), isPersonnel: z.boolean() }))
  .mutation(async ({ ctx, input }) => {
    const member = await checkPassword(ctx, input.email, input.password);
    const { application } = ctx.services.deployment;
    return finishSignIn(ctx, member, { kind: 'bearer', methods: ['pwd'], application });
  });

/** Signs a designer in. The base role decides; the `Apptype` header is ignored. */
export const designerLogin = publicProcedure
  .input(passwordLogin)
  .output(sessionView)
  .mutation(async ({ ctx, input }) => {
    const member = await checkPassword(ctx, input.email, input.password);
    return finishSignIn(ctx, member, { kind: 'session', methods: ['pwd'], application: 'designer' });
  });

/**
 * The plain login of the replaced system. It returns the member, and a plain access token that grants
 * nothing. Like other logins, it makes the address familiar. Where a second step is due it refuses, without a
 * challenge.
 */
export const plainLogin = publicProcedure
  .input(passwordLogin)
  .output(z.object({ data: memberView, access_token: z.string() }))
  .mutation(async ({ ctx, input }) => {
    const member = await checkPassword(ctx, input.email, input.password);
    if (member.secondFactor) throw new AppError('second_factor_required');
    await rememberOrigin(ctx, ctx.services.db, member.id);
    const nowMs = ctx.services.now();
    return { data: toMemberView(member, nowMs), access_token: plainToken(member.id, nowMs) };
  });
