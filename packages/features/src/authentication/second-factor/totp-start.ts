import { generateTotpSecret, toBase32, totpUri } from '@gatehouse/auth-core';
import { setPendingTotp } from '@gatehouse/db';
import { renderSVG } from 'uqr';
import { z } from 'zod';
import { changeDecided } from '../../audit/change-decided.js';
import { addingFactorProcedure } from '../../core/app/procedures.js';
import { sealTotpSecret } from './totp-secret.js';

const QR_BORDER = 4;

/** Begins to add an authenticator app: a secret that counts once its first code is confirmed. */
export const start = addingFactorProcedure
  .meta({ about: { summary: 'Begin to add an authenticator app' } })
  .input(z.object({}).optional())
  .output(
    z.object({
      message: z.string(),
      data: z.object({
        /** In base32, for apps that read no QR code. */
        secret: z.string(),
        uri: z.string(),
        /** The QR code of the address, as SVG. */
        qr: z.string(),
      }),
    }),
  )
  .mutation(async ({ ctx }) => {
    const { services } = ctx;
    const { memberId } = ctx.caller;
    const profile = await services.access.profile(ctx.caller.member);
    const secret = generateTotpSecret();
    const sealed = sealTotpSecret(services, memberId, secret);
    await changeDecided(ctx, { members: [memberId] }, (tx, nowMs) =>
      setPendingTotp(tx, { memberId, secret: sealed, nowMs }),
    );
    const issuer = new URL(services.config.APP_URL).hostname;
    const account = profile?.email ?? profile?.username ?? String(memberId);
    const uri = totpUri(secret, { issuer, account });
    return {
      message: 'Read the code with the app, then send what it shows',
      data: { secret: toBase32(secret), uri, qr: renderSVG(uri, { border: QR_BORDER }) },
    };
  });
