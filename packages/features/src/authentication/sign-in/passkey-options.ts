import { z } from 'zod';
import { limitFlows } from '../../core/app/flow.js';
import { requireRelyingParty } from '../../core/app/own-passkeys.js';
import { publicProcedure } from '../../core/app/procedures.js';
import { askPasskey } from '../passkey/make-options.js';
import { requestOptions } from '../passkey/option-schemas.js';
import { PASSKEY_SIGN_IN } from './passkey.js';

/** Begins to sign in with a passkey. It takes no name, so it says nothing about who exists. */
export const passkeyOptions = publicProcedure
  .meta({
    about: {
      summary: 'Begin to sign in with a passkey',
      refuses: ['passkeys_not_configured', 'rate_limited'],
    },
  })
  .input(z.object({}).optional())
  .output(z.object({ data: z.object({ flow: z.string(), options: requestOptions }) }))
  .mutation(async ({ ctx }) => {
    const { services } = ctx;
    const party = requireRelyingParty(services);
    await limitFlows(ctx);
    return { data: askPasskey(services, party, PASSKEY_SIGN_IN) };
  });
