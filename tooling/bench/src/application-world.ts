import { createHash } from 'node:crypto';
import { makeOpaqueToken, randomId, sha256Hex } from '@gatehouse/auth-core';
import { openDatabase } from '@gatehouse/db/open-database';
import { insertApplication, insertApplicationSecret } from '@gatehouse/db/queries/applications';
import { changeAccess } from '@gatehouse/db/queries/change-access';
import { z } from 'zod';
import type { BenchWorld } from './world.js';

/** Enough for the limits of each per minute: 6,000 introspections and 600 exchanges of codes. */
export const APPLICATIONS = 100;

export const REDIRECT_URI = 'https://wiki.example.com/callback';
const VERIFIER = 'a'.repeat(64);
const CHALLENGE = createHash('sha256').update(VERIFIER).digest('base64url');

export interface Client {
  readonly clientId: string;
  readonly secret: string;
}

/** A server with an application, and the cookie of a person who approved it. */
export interface Visit {
  readonly origin: string;
  readonly paths: { readonly authorize: string; readonly token: string; readonly introspect: string };
  readonly client: Client;
  readonly cookie: string;
}

export const OURS = { authorize: '/oauth/authorize', token: '/oauth/token', introspect: '/oauth/introspect' };
export const BARE = { authorize: '/auth', token: '/token', introspect: '/token/introspection' };

const tokenAnswer = z.object({ access_token: z.string() });

/** Applications of the deployment that skip consent. */
export async function addApplications(world: BenchWorld): Promise<Client[]> {
  const db = await openDatabase(world.databaseUrl);
  try {
    return await changeAccess(db, {}, async (tx) => {
      const clients: Client[] = [];
      while (clients.length < APPLICATIONS) {
        const client = { clientId: randomId(), secret: makeOpaqueToken('clientSecret') };
        const nowMs = Date.now();
        const applicationId = await insertApplication(tx, {
          clientId: client.clientId,
          accountId: null,
          createdById: 1,
          name: 'Wiki',
          type: 'web',
          redirectUris: [REDIRECT_URI],
          postLogoutRedirectUris: [],
          backchannelLogoutUri: null,
          jwks: null,
          jwksUri: null,
          scopes: ['openid'],
          resources: [],
          subjectType: 'public',
          active: true,
          machineId: null,
          skipConsent: true,
          pkceExempt: false,
          nowMs,
        });
        const secret = { start: client.secret.slice(0, 12), digest: sha256Hex(client.secret) };
        await insertApplicationSecret(tx, { ...secret, applicationId, createdById: 1, createdAtMs: nowMs });
        clients.push(client);
      }
      return clients;
    });
  } finally {
    await db.close();
  }
}

export async function codeFor({ origin, paths, client, cookie }: Visit): Promise<string> {
  const query = new URLSearchParams({
    client_id: client.clientId,
    redirect_uri: REDIRECT_URI,
    response_type: 'code',
    scope: 'openid',
    code_challenge: CHALLENGE,
    code_challenge_method: 'S256',
  });
  const answer = await fetch(`${origin}${paths.authorize}?${query.toString()}`, {
    redirect: 'manual',
    headers: { cookie },
  });
  await answer.text();
  const code = new URL(answer.headers.get('location') ?? '', origin).searchParams.get('code');
  if (code === null) throw new Error(`${origin} gives no code: ${answer.status}`);
  return code;
}

export const authorizationOf = ({ clientId, secret }: Client) =>
  `Basic ${Buffer.from(`${clientId}:${secret}`).toString('base64')}`;

export async function exchange({ origin, paths, client }: Visit, code: string): Promise<string> {
  const answer = await fetch(`${origin}${paths.token}`, {
    method: 'POST',
    headers: { authorization: authorizationOf(client) },
    body: new URLSearchParams({
      grant_type: 'authorization_code',
      redirect_uri: REDIRECT_URI,
      code_verifier: VERIFIER,
      code,
    }),
  });
  return tokenAnswer.parse(await answer.json()).access_token;
}
