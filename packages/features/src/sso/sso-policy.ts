import { AppError, domainOfAddress, emailSchema } from '@gatehouse/auth-core';
import { findMemberFactors } from '@gatehouse/db/queries/member-factors';
import { findMembership } from '@gatehouse/db/queries/memberships';
import { findCredentialById } from '@gatehouse/db/queries/passwords';
import { findAccountSso, writeAccountSso } from '@gatehouse/db/queries/sso-connections';
import { findSsoOfDomain, listSsoDomains } from '@gatehouse/db/queries/sso-domains';
import { z } from 'zod';
import { changeAndRecord, changedFields } from '../audit/change.js';
import type { Context } from '../core/context.js';
import { FRESH } from '../core/guard/freshness.js';
import { hasOwnPasskey } from '../core/guard/level.js';
import { accountProcedure, publicProcedure } from '../core/guard/procedure.js';
import { limitPerAddress } from '../core/rate-limit/count-attempt.js';

const MAX_EXEMPT = 3;

const policyView = z.object({
  /** Whether only sessions of the account's connections reach it. */
  required: z.boolean(),
  /** The owners who may sign in another way. */
  exempt: z.array(z.int()).max(MAX_EXEMPT),
});

/**
 * Says whether only sessions of the account's connections reach it, and which owners may sign in otherwise. It takes effect with the next
 * request of everybody.
 */
const setPolicy = accountProcedure('sso.manage', { inPerson: true, fresh: FRESH })
  .meta({
    about: {
      summary: 'Require single sign-on in the account',
      refuses: ['not_tested', 'policy_excludes_you'],
    },
  })
  .input(
    z.object({
      required: z.boolean(),
      /** One to three owners with a password or their own passkey. */
      exempt: z.array(z.int().positive()).max(MAX_EXEMPT).optional(),
    }),
  )
  .output(z.object({ message: z.string(), data: policyView }))
  .mutation(async ({ ctx, input }) => {
    const accountId = ctx.account.id;
    const { required } = input;
    const data = await changeAndRecord(
      ctx,
      { announce: { accounts: [accountId] } },
      async ({ tx, nowMs, caller }) => {
        const known = await findAccountSso(tx, accountId);
        const before = { required: known?.required ?? false, exempt: [...(known?.exemptIds ?? [])] };
        const exempt: number[] = [];
        for (const [at, memberId] of [...new Set(input.exempt ?? before.exempt)].entries())
          if (await canSignInOtherwise(tx, ctx, { accountId, memberId })) exempt.push(memberId);
          // One who has left since is dropped, so that the requirement can always be ended.
          else if (input.exempt !== undefined)
            throw invalid(`exempt.${at}`, 'is no owner who can sign in otherwise');
        if (required) {
          if ((known?.connections ?? []).length === 0) throw new AppError('not_tested');
          const domains = await listSsoDomains(tx, accountId);
          if (!domains.some(({ state }) => state === 'verified'))
            throw invalid('required', 'needs a verified domain');
          if (exempt.length === 0) throw invalid('exempt', 'must name one to three owners');
          const { memberId, session } = caller;
          if (!exempt.includes(memberId) && session.sso?.accountId !== accountId)
            throw new AppError('policy_excludes_you');
        }
        const changed = changedFields(before, { required, exempt });
        if (changed) await writeAccountSso(tx, { accountId, nowMs, required, exemptIds: exempt });
        return {
          result: { required, exempt },
          record: changed && {
            action: 'sso.policy-set',
            accountId,
            subjectKind: 'account',
            subjectId: accountId,
            ...changed,
          },
        };
      },
    );
    return { message: 'The single sign-on policy is saved', data };
  });

const invalid = (path: string, message: string) =>
  new AppError('invalid_input', { issues: [{ path, message }] });

/** Whether an owner has a way to sign in that is not the identity provider. */
async function canSignInOtherwise(
  tx: Parameters<typeof findMembership>[0],
  { services }: Context,
  place: { accountId: number; memberId: number },
): Promise<boolean> {
  const { admin, owner } = services.roles.id;
  const membership = await findMembership(tx, place);
  const isOwner = membership?.active === true && [admin, owner].includes(membership.roleType);
  const credential = isOwner ? await findCredentialById(tx, place.memberId) : undefined;
  const factors = credential && (await findMemberFactors(tx, place.memberId));
  if (credential === undefined || credential.isDeleted || factors === undefined) return false;
  return credential.hasPassword || hasOwnPasskey(services, factors);
}

const DISCOVERIES_A_MINUTE = 60;

const MINUTE_MS = 60_000;

/** The connection that signs in people with an address, by its domain alone: the same for known and unknown addresses. */
const discover = publicProcedure
  .meta({ about: { summary: 'Find the single sign-on of an address', refuses: ['rate_limited'] } })
  .input(z.object({ email: emailSchema }))
  .output(
    z.object({
      data: z.object({ key: z.string(), name: z.string(), required: z.boolean() }).nullable(),
    }),
  )
  .mutation(async ({ ctx, input: { email } }) => {
    await limitPerAddress(ctx, {
      name: 'sso-discovery',
      most: DISCOVERIES_A_MINUTE,
      windowMs: MINUTE_MS,
    });
    const domain = domainOfAddress(email);
    const found = domain === undefined ? undefined : await findSsoOfDomain(ctx.services.db, domain);
    const [first] = found?.sso.connections ?? [];
    if (found === undefined || first === undefined) return { data: null };
    return { data: { key: first.key, name: first.name, required: found.sso.required } };
  });

export const policyProcedures = { discover, setPolicy };
