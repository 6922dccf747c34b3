import { listPasskeys } from '@gatehouse/db';
import { z } from 'zod';
import { requireRelyingParty } from '../../core/app/own-passkeys.js';
import { factorProcedure } from '../../core/app/procedures.js';
import { passkeyView, toPasskeyView } from './passkey-view.js';
import { readSignals, signalsSchema } from './signals.js';

/** The caller's passkeys, of which there are few. */
export const list = factorProcedure
  .meta({ about: { summary: "List one's passkeys", refuses: ['passkeys_not_configured'] } })
  .output(z.object({ list: z.array(passkeyView), signals: signalsSchema }))
  .query(async ({ ctx }) => {
    const { services, caller } = ctx;
    const party = requireRelyingParty(services);
    const passkeys = await listPasskeys(services.db, caller.memberId);
    const signals = await readSignals(services.db, party, { memberId: caller.memberId, passkeys });
    return { list: passkeys.map((passkey) => toPasskeyView(party, passkey)), signals };
  });
