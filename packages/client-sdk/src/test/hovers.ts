import { createMainClient, isGatehouseError, isSecondFactorRequired } from '@gatehouse/client-sdk';
import { createAdminClient } from '@gatehouse/client-sdk/admin';
import { useMe, useSession } from '@gatehouse/client-sdk/react';
import { createServerClient, requestCookies } from '@gatehouse/client-sdk/server';

export async function hovered(request: Request): Promise<unknown> {
  const /* 1 */ gatehouse = createMainClient({ url: '' });
  const /* 2 */ staff = createAdminClient({ url: '' });
  const cookies = requestCookies(request, new Headers());
  const /* 3 */ server = createServerClient({ url: '', cookies });
  const inAccount = gatehouse.withAccount(1);
  const /* 4 */ api = inAccount.api;
  const /* 5 */ signedIn = await gatehouse.signIn({ email: '', password: '' });
  try {
    await server./* 8 */ continueSignIn({ code: '' });
  } catch (error) {
    if (isSecondFactorRequired(error)) return /* 9 */ error;
    if (isGatehouseError(error, 'rate_limited')) return /* 10 */ error;
  }
  return [staff, api, signedIn];
}

export function Hovered(): string | undefined {
  const { /* 6 */ client } = useSession();
  const { /* 7 */ me } = useMe();
  return me?.member.username ?? client.url;
}
