import {
  createMainClient,
  isGatehouseError,
  isSecondFactorRequired,
  isVerificationRequired,
  type MainOutputs,
  type Membership,
} from '@gatehouse/client-sdk';
import { createAdminClient } from '@gatehouse/client-sdk/admin';
import { createServerClient } from '@gatehouse/client-sdk/server';

const { api, signIn } = createMainClient({ url: 'http://127.0.0.1:4000' });
const admin = createAdminClient({ url: 'http://127.0.0.1:4001' });

/** The compiler must refuse each line. A line it accepts is an error itself. */
export async function wrong(error: unknown): Promise<unknown> {
  // @ts-expect-error -- wrong input: the id is a number
  await api.subject.remove.mutate({ subjectId: '1' });
  // @ts-expect-error -- wrong input: the id is missing
  await api.subject.remove.mutate({});
  // @ts-expect-error -- wrong input: there is no such field
  await api.member.list.query({ accountId: 1 });
  // @ts-expect-error -- unknown procedure of a known group
  await api.member.forget.mutate({});
  // @ts-expect-error -- unknown group of procedures
  await api.nobody.list.query({});
  // @ts-expect-error -- a procedure of the admin service at the main one
  await api.audit.list.query({});
  // @ts-expect-error -- a procedure of the main service at the admin one
  await admin.api.conversation.list.query({});
  // @ts-expect-error -- a query is not a mutation
  await api.member.list.mutate({});
  // @ts-expect-error -- wrong output: an id is a number
  const id: string | undefined = (await api.member.list.query({})).data[0]?.id;
  // @ts-expect-error -- wrong output: a password is never answered
  const secret: MainOutputs['session']['me']['member']['password'] = id;
  // @ts-expect-error -- half a credential: the password is missing
  await signIn({ email: 'owner@acme.test' });
  // @ts-expect-error -- a code that no refusal has
  isGatehouseError(error, 'no_such_code');
  // @ts-expect-error -- a client of a request needs its cookies
  const server = createServerClient({ url: '' });
  // @ts-expect-error -- a client of a request gives its token to nobody
  void server.token;
  // @ts-expect-error -- the cookie has the challenge
  await server.continueSignIn('challenge', { code: '000000' });
  // @ts-expect-error -- a second step is not taken by the password
  await server.continueSignIn({ password: '' });
  if (isVerificationRequired(error)) {
    // @ts-expect-error -- the ways to prove are in `verification`
    void error.data.methods;
    // @ts-expect-error -- a way that nobody proves by
    error.data.verification.methods.includes('topt');
  }
  if (isSecondFactorRequired(error)) {
    // @ts-expect-error -- the first step had the password
    error.data.methods.includes('password');
    // @ts-expect-error -- a proof is for `isVerificationRequired`
    void error.data.verification;
  }
  // @ts-expect-error -- the code alone does not say that the refusal has a challenge
  if (isGatehouseError(error, 'second_factor_required')) void error.data.challenge;
  return secret;
}

/** A misspelled permission is refused wherever one is named. */
export async function misspelt(membership: Membership): Promise<unknown> {
  // @ts-expect-error -- a misspelt permission in an account
  membership.permissions.includes('acount.read');
  const me = await api.session.me.query();
  // @ts-expect-error -- a misspelt permission in the selected account
  me.currentAccount?.permissions.includes('member.lists');
  // @ts-expect-error -- a misspelt permission of staff
  me.staffPermissions.includes('audit.reed');
  // @ts-expect-error -- a misspelt permission of a custom role
  await api.role.save.mutate({ name: 'Front desk', roleType: 5, permissions: ['acount.read'] });
  // @ts-expect-error -- a misspelt permission in a question to the admin service
  return admin.api.access.explain.query({ memberId: 1, permission: 'audit.reed' });
}
