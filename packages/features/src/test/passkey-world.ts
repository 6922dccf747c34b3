import type {
  AuthenticatorFault,
  RunningService,
  SoftwareAuthenticator,
  SoftwarePasskey,
} from '@gatehouse/testkit';
import { type FactorAnswer, type FactorWorld, startFactorWorld } from './factor-world.js';

/** A world of factors in which passkeys of `localhost` are valid. */
export function startPasskeyWorld(env: Readonly<Record<string, string>> = {}): Promise<FactorWorld> {
  const url = 'http://localhost:4000';
  return startFactorWorld({ APP_URL: url, BASE_URL: url, PASSKEY_ORIGINS: '', ...env });
}

type Options<Name extends 'create' | 'use'> = Name extends 'create'
  ? Parameters<SoftwareAuthenticator['create']>[0]
  : Parameters<SoftwarePasskey['use']>[0];

/** The options in an answer, for an authenticator. */
export function optionsIn<Name extends 'create' | 'use'>(data: Record<string, unknown>): Options<Name> {
  return data['options'] as Options<Name>;
}

/** Adds a passkey, and answers as `passkey.add` does. */
export async function askAndAdd(
  world: FactorWorld,
  { token }: { readonly token: string },
  device: SoftwareAuthenticator,
  fault: AuthenticatorFault = {},
  asked: object = {},
  more: object = {},
): Promise<FactorAnswer> {
  const { data } = await world.call('passkey.addOptions', asked, { token });
  const { registration } = device.create(optionsIn<'create'>(data), fault);
  return world.call('passkey.add', { flow: data['flow'], response: registration, ...more }, { token });
}

/** Adds a passkey. Staff prove their mailbox with their first one. */
export async function addPasskey(
  world: FactorWorld,
  member: { readonly id: number; readonly token: string; readonly email: string },
  device: SoftwareAuthenticator,
  { isStaff = false }: { isStaff?: boolean } = {},
): Promise<{ passkey: SoftwarePasskey; answer: FactorAnswer; memberId: number }> {
  const { id: memberId, token } = member;
  if (isStaff) await world.call('verification.sendEmail', {}, { token });
  const proof = isStaff ? { proof: { emailCode: await world.mailedCode(member.email) } } : {};
  const { data } = await world.call('passkey.addOptions', {}, { token });
  const passkey = device.create(optionsIn<'create'>(data));
  const input = { flow: data['flow'], response: passkey.registration, ...proof };
  const answer = await world.call('passkey.add', input, { token });
  if (answer.status !== 200) throw new Error(`not added: ${JSON.stringify(answer.body)}`);
  return { passkey, answer, memberId };
}

/** Signs in with a passkey: the answer of `signIn.passkey`. */
export async function usePasskey(
  world: FactorWorld,
  passkey: SoftwarePasskey,
  {
    fault = {},
    on = world.main,
    more = {},
  }: { fault?: AuthenticatorFault; on?: RunningService; more?: object | undefined } = {},
): Promise<FactorAnswer> {
  const { data } = await world.call('signIn.passkeyOptions', {}, { on });
  const response = passkey.use(optionsIn<'use'>(data), fault);
  return world.call('signIn.passkey', { flow: data['flow'], response, ...more }, { on });
}
