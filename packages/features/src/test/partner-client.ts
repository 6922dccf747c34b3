import type { RunningService } from '@gatehouse/testkit';
import { z } from 'zod';

export const ACME_SECRET = 'acme-partner-demo-secret-0123456789';

const authenticated = z.object({ status: z.literal(true), token: z.string(), expiresIn: z.literal(3600) });
const registered = z.object({
  status: z.literal(true),
  loginUrl: z.string(),
  userId: z.number(),
  accountId: z.number(),
});
const signedOn = z.object({ status: z.literal(true), loginUrl: z.string() });

type Transport = Pick<RunningService, 'send'>;

/** The calls of a partner's back end, over REST. */
export interface PartnerClient {
  readonly token: string;
  register(
    person: Readonly<Record<string, unknown>> & { email: string },
  ): Promise<z.output<typeof registered>>;
  /** The one-use token of a login URL. */
  signOn(member: { email?: string; userId?: number }): Promise<string>;
}

/** Authenticates a partner, by default that of the demonstration. */
export async function partnerClient(
  transport: Transport,
  credentials: { partnerId: string | number; secretKey: string } = {
    partnerId: 'acme-partner',
    secretKey: ACME_SECRET,
  },
): Promise<PartnerClient> {
  const response = await transport.send('/partnerAuth/partnerAuthentication', { body: credentials });
  const { token } = authenticated.parse(await response.json());
  return {
    token,
    async register(person) {
      const body = { firstName: 'Ada', lastName: 'Byron', ...person };
      const answer = await transport.send('/partnerAuth/registerUser', { bearer: token, body });
      return registered.parse(await answer.json());
    },
    async signOn(member) {
      const answer = await transport.send('/partnerAuth/singleSignOn', { bearer: token, body: member });
      return loginTokenIn(signedOn.parse(await answer.json()).loginUrl);
    },
  };
}

/** The part after `#login?token=` in a login URL. */
export function loginTokenIn(loginUrl: string): string {
  const token = /^http:\/\/127\.0\.0\.1:4010\/#login\?token=([\w.-]+)$/.exec(loginUrl)?.[1];
  if (token === undefined) throw new Error(`${loginUrl} is no login URL`);
  return token;
}

const session = z.object({ token: z.string(), userId: z.number(), accountId: z.number().nullable() });

/** Exchanges a one-use token for a session. */
export async function exchange(transport: Transport, token: string): Promise<z.output<typeof session>> {
  const response = await transport.send('/webauthenticate', { body: { tempLogin: true, token } });
  return session.parse(await response.json());
}
