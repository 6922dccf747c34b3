import { ACME_SECRET, loginTokenIn } from '@gatehouse/features/test/partner-client';
import type { MainClient } from '../main.js';
import { type FirstWaveWorld, PASSWORD } from './first-wave-world.js';

const owner = { email: 'owner@acme.test', password: PASSWORD };

const nobody = ({ wave, main }: FirstWaveWorld) => wave.createMainClient({ url: main.url });

async function partnerOf({ wave, ...world }: FirstWaveWorld) {
  const { api } = nobody({ wave, ...world });
  const { token } = await api.partner.authenticate.mutate({
    partnerId: 'acme-partner',
    secretKey: ACME_SECRET,
  });
  return { api, byPartner: wave.perCall({ bearer: token }) };
}

async function registeredByPartner(world: FirstWaveWorld, email: string) {
  const { api, byPartner } = await partnerOf(world);
  return api.partner.registerUser.mutate({ email, firstName: 'Ada', lastName: 'Byron' }, byPartner);
}

/** A signed-in member whom a partner registered. */
async function linked(world: FirstWaveWorld, email: string): Promise<MainClient> {
  await registeredByPartner(world, email);
  const gatehouse = nobody(world);
  await gatehouse.api.password.forgot.mutate({ email });
  const { token } = await world.mail(email, 'passwordReset');
  await gatehouse.api.password.reset.mutate({ token, password: PASSWORD });
  await gatehouse.signIn({ email, password: PASSWORD });
  return gatehouse;
}

async function conversation({ api }: MainClient) {
  const { data } = await api.conversation.list.query({});
  const [found] = data.filter(({ subject }) => subject !== null);
  if (found === undefined) throw new Error('the demonstration has conversations');
  return found;
}

/** What came back from a provider to which the client sent the browser, to connect a profile. */
async function connectionCode(world: FirstWaveWorld, { api }: MainClient, provider: string): Promise<string> {
  const { url } = await api.social.connect.mutate({ provider });
  return (await world.visit(url)).searchParams.get('code') ?? '';
}

/** A call of each procedure that the first wave's client has for the main service. */
export const MAIN_CALLS: Readonly<Record<string, (world: FirstWaveWorld) => Promise<unknown>>> = {
  'account.search': async (world) => (await world.member()).api.account.search.query({ search: '' }),
  'conversation.list': async (world) =>
    (await world.member()).withAccount(1).api.conversation.list.query({ limit: 2 }),
  async 'conversation.messages'(world) {
    const acme = (await world.member()).withAccount(1);
    const { id, participants } = await conversation(acme);
    const memberId = participants[0]?.id ?? 0;
    return acme.api.conversation.messages.query({ conversationId: id, memberId });
  },
  async 'health.bearer'(world) {
    const { api } = nobody(world);
    const { token } = await api.login.bearer.mutate(owner);
    return api.health.bearer.query(undefined, world.wave.perCall({ bearer: token }));
  },
  'login.bearer': (world) => nobody(world).api.login.bearer.mutate(owner),
  'login.web': (world) => nobody(world).api.login.web.mutate(owner),
  'login.plain': (world) => nobody(world).api.login.plain.mutate(owner),
  'login.designer': (world) =>
    nobody(world).api.login.designer.mutate({ email: 'designer@acme.test', password: PASSWORD }),
  async 'login.oneTimePassword'(world) {
    const email = 'owner@birch.test';
    const { login } = nobody(world).api;
    await login.requestOneTimePassword.mutate({ email });
    const { text } = await world.mail(email, 'oneTimePassword');
    const password = /^ {4}([\da-f]{6})$/m.exec(text)?.[1] ?? '';
    return login.oneTimePassword.mutate({ email, password });
  },
  'login.requestOneTimePassword': (world) =>
    nobody(world).api.login.requestOneTimePassword.mutate({ email: owner.email }),
  'member.detail': async (world) => (await world.member()).api.member.detail.query({ userId: 7 }),
  'member.list': async (world) => (await world.member()).withAccount(1).api.member.list.query({ limit: 3 }),
  'member.search': async (world) =>
    (await world.member()).withAccount(1).api.member.search.query({ username: 'e' }),
  async 'partner.consent'(world) {
    const email = 'consenting@wave.test';
    const { api } = await linked(world, email);
    // The owner came after the partner, whose link waits for their yes: a call that this client does not have.
    const partnerId = 1;
    const post = (path: string, body: object, headers: Record<string, string> = {}) =>
      fetch(`${world.main.url}${path}`, {
        method: 'POST',
        headers: { 'content-type': 'application/json', ...headers },
        body: JSON.stringify(body),
      });
    const signedIn = await post('/webauthenticate', { email, password: PASSWORD });
    const { token } = (await signedIn.json()) as { token: string };
    await post('/v1/takeover/decide', { partnerId, keep: true }, { token });
    return api.partner.consent.mutate({ partnerId, consent: true });
  },
  'partner.listMine': async (world) =>
    (await linked(world, 'linked@wave.test')).api.partner.listMine.query({ limit: 1 }),
  'partner.authenticate': (world) =>
    nobody(world).api.partner.authenticate.mutate({ partnerId: 'acme-partner', secretKey: ACME_SECRET }),
  'partner.registerUser': (world) => registeredByPartner(world, 'registered@wave.test'),
  'partner.signIn': async (world) =>
    (await world.member()).api.partner.signIn.mutate({ partner: 'acme-partner', userData: { plan: 'b' } }),
  async 'partner.singleSignOn'(world) {
    const { userId } = await registeredByPartner(world, 'signed-on@wave.test');
    const { api, byPartner } = await partnerOf(world);
    const answer = await api.partner.singleSignOn.mutate({ userId }, byPartner);
    await nobody(world).signIn({ tempLogin: true, token: loginTokenIn(answer.loginUrl) });
    return answer;
  },
  async 'password.change'(world) {
    const { gatehouse } = await world.registered();
    const change = { currentPassword: PASSWORD, newPassword: 'Copper-Meadow-17' };
    return gatehouse.api.password.change.mutate(change);
  },
  'password.forgot': (world) => nobody(world).api.password.forgot.mutate({ email: owner.email }),
  async 'password.reset'(world) {
    const { email, gatehouse } = await world.registered();
    await gatehouse.api.password.forgot.mutate({ email });
    const { token } = await world.mail(email, 'passwordReset');
    const answer = await gatehouse.api.password.reset.mutate({ token, password: 'Copper-Meadow-17' });
    await gatehouse.signIn({ email, password: 'Copper-Meadow-17' });
    return answer;
  },
  'registration.resendConfirmation': async (world) =>
    (await world.registered()).gatehouse.api.registration.resendConfirmation.mutate(),
  async 'registration.confirm'(world) {
    const { email, gatehouse } = await world.registered();
    const { token } = await world.mail(email, 'activation');
    return gatehouse.api.registration.confirm.mutate({ token });
  },
  async 'registration.confirmationDetails'(world) {
    const { email } = await world.registered();
    const { token } = await world.mail(email, 'activation');
    return nobody(world).api.registration.confirmationDetails.query({ token });
  },
  'registration.register': (world) =>
    nobody(world).api.registration.register.mutate({
      username: 'ada',
      email: 'ada@wave.test',
      password: PASSWORD,
      firstName: 'Ada',
      lastName: 'Byron',
      accountName: 'Engines',
    }),
  'session.end': async (world) => (await world.member()).api.session.end.mutate(),
  async 'session.endMany'(world) {
    const { api } = await world.member('contributor@acme.test');
    const { data } = await api.session.list.query({});
    const [own] = data.filter(({ isCurrent }) => isCurrent);
    await api.session.endMany.mutate({ others: true });
    return api.session.endMany.mutate({ sessionId: own?.id ?? 0 });
  },
  'session.issueAuthToken': async (world) =>
    (await world.member('root@gatehouse.test')).api.session.issueAuthToken.mutate(),
  'session.list': async (world) => (await world.member()).api.session.list.query({ limit: 5 }),
  'session.me': async (world) => (await world.member()).withAccount(1).api.session.me.query(),
  'social.connect': async (world) => (await world.member()).api.social.connect.mutate({ provider: 'google' }),
  async 'social.finish'(world) {
    const gatehouse = await world.member();
    const code = await connectionCode(world, gatehouse, 'google');
    return gatehouse.api.social.finish.mutate({ code });
  },
  async 'social.list'(world) {
    const gatehouse = await world.member();
    const code = await connectionCode(world, gatehouse, 'facebook');
    await gatehouse.api.social.finish.mutate({ code });
    const answer = await gatehouse.api.social.list.query({ limit: 10 });
    if (answer.data.length === 0) throw new Error('nothing is connected');
    return answer;
  },
  async 'social.remove'(world) {
    const gatehouse = await world.member('manager@acme.test');
    const code = await connectionCode(world, gatehouse, 'linkedin');
    const { data } = await gatehouse.api.social.finish.mutate({ code });
    return gatehouse.api.social.remove.mutate({ connectionId: data.id });
  },
  'subscription.list': async (world) =>
    (await world.member()).withAccount(1).api.subscription.list.query({ limit: 2 }),
  async 'subject.remove'(world) {
    const birch = (await world.member('owner@birch.test')).withAccount(2);
    const { subject } = await conversation(birch);
    return birch.api.subject.remove.mutate({ subjectId: subject?.id ?? 0 });
  },
};
