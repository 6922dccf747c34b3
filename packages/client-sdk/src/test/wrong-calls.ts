import { createMainClient, isGatehouseError, type MainOutputs } from '@gatehouse/client-sdk';
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
  return secret;
}
