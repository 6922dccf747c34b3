import { VERIFICATION_METHODS } from '@gatehouse/auth-core';
import { listPasskeys } from '@gatehouse/db';
import { z } from 'zod';
import type { Caller } from '../../core/app/caller.js';
import type { FlowScope } from '../../core/app/flow.js';
import { isBoundByPolicy, levelAskedOf, verificationMethods } from '../../core/app/freshness.js';
import { requireRelyingParty } from '../../core/app/own-passkeys.js';
import { factorProcedure } from '../../core/app/procedures.js';
import { askPasskey } from '../passkey/make-options.js';
import { requestOptions } from '../passkey/option-schemas.js';

/** The ways in which the caller can show again who they are, and what a passkey needs for it. */
export const options = factorProcedure
  .meta({ about: { summary: 'See how to show again who is signed in' } })
  .output(
    z.object({
      data: z.object({
        /** The level that actions ask which are hard to undo. */
        level: z.int(),
        methods: z.array(z.enum(VERIFICATION_METHODS)),
        /** Present where a passkey may be it. */
        flow: z.string().optional(),
        options: requestOptions.optional(),
      }),
    }),
  )
  .query(async ({ ctx }) => {
    const { services, caller } = ctx;
    const isBound = await isBoundByPolicy(ctx, caller.member);
    const methods = verificationMethods(services, caller.member, isBound);
    const level = levelAskedOf(services, caller.member, isBound);
    if (!methods.includes('passkey') || services.relyingParty === undefined)
      return { data: { level, methods } };
    const passkeys = await listPasskeys(services.db, caller.memberId);
    const usable = passkeys.filter(({ suspectAtMs }) => suspectAtMs === null);
    const party = requireRelyingParty(services);
    return {
      data: { level, methods, ...askPasskey(services, party, passkeyVerificationOf(caller), usable) },
    };
  });

/** What the flow of a passkey as verification belongs to. */
export function passkeyVerificationOf({ memberId }: Pick<Caller, 'memberId'>): FlowScope {
  return { purpose: 'passkeyVerify', binding: String(memberId) };
}
