import {
  type Account,
  createMainClient,
  type ErrorCode,
  isGatehouseError,
  isVerificationRequired,
  type MainInputs,
  type MainOutputs,
  type Member,
  type Membership,
  type OwnMember,
  type Permission,
  perCall,
  ROLES,
} from '@gatehouse/client-sdk';
import { createAdminClient, type Member as MemberForStaff } from '@gatehouse/client-sdk/admin';
import { addPasskey, getPasskey, sendSignals, signInWithPasskey } from '@gatehouse/client-sdk/passkeys';
import { createServerClient, requestCookies } from '@gatehouse/client-sdk/server';

type Equal<A, B> = (<T>() => T extends A ? 1 : 2) extends <T>() => T extends B ? 1 : 2 ? true : false;

/** Compiles only when the types are exactly these, not `any`. */
export const exact: [
  Equal<Member['id'], number>,
  Equal<Member['username'], string>,
  Equal<MainInputs['subject']['remove'], { subjectId: number }>,
  Equal<'rate_limited' extends ErrorCode ? true : false, true>,
  Equal<string extends ErrorCode ? true : false, false>,
  Equal<OwnMember, MainOutputs['profile']['update']['data']>,
  Equal<OwnMember['locale'], 'de' | 'en'>,
  Equal<Pick<Member, keyof MemberForStaff>, MemberForStaff>,
  Equal<Account, MainOutputs['account']['search']['data'][number]>,
  Equal<Membership['role'], number>,
  Equal<'member.list' extends Permission ? true : false, true>,
  Equal<string extends Permission ? true : false, false>,
  Equal<(typeof ROLES)['archived'], 11>,
] = [true, true, true, true, true, true, true, true, true, true, true, true, true];

export const owners = (all: readonly Membership[]) => all.filter(({ role }) => role === ROLES.owner);

export const gatehouse = createMainClient({ url: 'http://127.0.0.1:4000' });

export async function correct(): Promise<number> {
  await gatehouse.signIn({ email: 'owner@acme.test', password: 'Lantern-Harbor-42' });
  const { data, page } = await gatehouse
    .withAccount(1)
    .api.member.list.query({ limit: 10 }, perCall({ accountId: 2 }));
  const cursor: string | null = page.nextCursor;
  await gatehouse.api.subject.remove.mutate({ subjectId: 1 }, perCall({ isRepeatable: true }));
  return data.reduce((sum: number, { id }) => sum + id, cursor?.length ?? 0);
}

export function whenToComeBack(error: unknown): number | undefined {
  if (!isGatehouseError(error, 'rate_limited', 'unavailable')) return undefined;
  const reason: 'rate_limited' | 'unavailable' = error.data.reason;
  return reason === 'unavailable' ? 1 : error.data.retryAfterSeconds;
}

export async function correctForStaff(): Promise<string[]> {
  const { api } = createAdminClient({ url: 'http://127.0.0.1:4001', application: 'admin' });
  return (await api.audit.list.query({})).data.map(({ action }) => action);
}

export async function correctWithPasskeys(challenge: string): Promise<number> {
  await addPasskey(createAdminClient({ url: 'http://127.0.0.1:4001' }), { name: 'A key' });
  await sendSignals((await gatehouse.api.passkey.list.query()).signals);
  const { data } = await gatehouse.api.signIn.stepOptions.mutate({ challenge });
  const stepped = await gatehouse.continueSignIn(challenge, await getPasskey(data));
  return stepped.level + (await signInWithPasskey(gatehouse)).level;
}

export async function correctOnAServer(request: Request, headers: Headers): Promise<string[]> {
  const cookies = requestCookies(request, headers, { origins: ['https://front.test'] });
  const server = createServerClient({ url: '', cookies, visitor: { address: null } });
  if (server.step?.methods.includes('totp')) await server.continueSignIn({ code: '000000' });
  try {
    await server.withAccount(1).totp.start.mutate();
  } catch (error) {
    if (isVerificationRequired(error)) return [...error.data.verification.methods];
  }
  return (await server.api.member.list.query()).data.map(({ username }) => username);
}
