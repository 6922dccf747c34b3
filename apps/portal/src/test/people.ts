import { hashPassword, totpCode, totpStep } from '@gatehouse/auth-core';
import { changeAccess } from '@gatehouse/db/queries/change-access';
import { proveOwner } from '@gatehouse/db/queries/change-member';
import { insertTestMember, readOutbox, type TestMember } from '@gatehouse/testkit';
import { z } from 'zod';
import { type OpenPortal, PASSWORD } from './open-portal.js';

/** A member with a confirmed address and the password of everybody. Nobody has used the two together. */
export async function addUnprovenMember(
  { service }: OpenPortal,
  memberships: Readonly<Record<number, number>> = {},
): Promise<TestMember> {
  const passwordHash = await hashPassword(PASSWORD);
  const proof = { isConfirmed: true, isProven: false, passwordHash };
  return insertTestMember(service.database, { ...proof, memberships });
}

/** A member who proved their address, with the password of everybody. */
export async function addMember(
  portal: OpenPortal,
  memberships?: Readonly<Record<number, number>>,
): Promise<TestMember> {
  const { service, nowMs } = portal;
  const member = await addUnprovenMember(portal, memberships);
  const proof = { memberId: member.id, expectedPassword: undefined, nowMs: nowMs() };
  await changeAccess(service.database, { members: [member.id] }, (tx) => proveOwner(tx, proof));
  return member;
}

const started = z.object({ data: z.object({ secret: z.string() }) });
const confirmed = z.object({ data: z.object({ backupCodes: z.array(z.string()) }) });

/** A member whose sign-ins take a code of the authenticator app. */
export async function addMemberWithApp(portal: OpenPortal, memberships?: Readonly<Record<number, number>>) {
  const { service, nowMs, wait } = portal;
  const member = await addMember(portal, memberships);
  const call = async (name: string, body: object): Promise<unknown> =>
    (await service.send(`/v1/${name}`, { body, token: member.token })).json();
  await call('verification/prove', { password: PASSWORD });
  const secret = fromBase32(started.parse(await call('totp/start', {})).data.secret);
  const code = () => totpCode(secret, totpStep(nowMs()));
  const { backupCodes } = confirmed.parse(await call('totp/confirm', { code: code() })).data;
  // The code just used is no longer valid.
  wait(60_000);
  return { ...member, backupCodes, code };
}

/** The newest mail of a kind to an address, once it is written. */
export async function mailTo({ service }: OpenPortal, to: string, kind: string) {
  const mails = await readOutbox(service);
  const mail = mails.find((each) => each.to === to && each.kind === kind);
  if (mail === undefined) throw new Error(`There is no mail ${kind} to ${to}`);
  const [link = ''] = /http:\/\/localhost\S+/.exec(mail.text) ?? [];
  return { link, text: mail.text };
}

/** The bytes of a secret, as apps read it. */
export function fromBase32(text: string): Buffer {
  const bits = [...text]
    .map((letter) => 'ABCDEFGHIJKLMNOPQRSTUVWXYZ234567'.indexOf(letter).toString(2).padStart(5, '0'))
    .join('');
  return Buffer.from((bits.match(/.{8}/g) ?? []).map((byte) => Number.parseInt(byte, 2)));
}
