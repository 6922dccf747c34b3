import { requirePasskeys } from './browser.js';
import { parseCreation, toJson } from './json.js';
import type { PasskeyClient } from './passkey-client.js';
import { sendSignals } from './send-signals.js';

/** A passkey that the browser made, for a member who has to add it within 15 minutes. */
export interface MadePasskey {
  readonly flow: string;
  readonly response: ReturnType<typeof toJson>;
}

interface Making {
  /** Lets the browser make it without asking, within five minutes of a password, if it can. */
  readonly auto?: boolean;
  readonly signal?: AbortSignal;
}

export interface NewPasskey extends Making {
  /** The name that the member gave it. */
  readonly name?: string;
  /** A proof of the mailbox or a ticket, if the service asks for one. */
  readonly proof?: { readonly emailCode: string } | { readonly ticket: string };
  /** One that `makePasskey` made, as when the service refused its proof; else the browser makes one now. */
  readonly made?: MadePasskey;
}

export interface AddedPasskey {
  readonly id: number;
  readonly name: string;
  /** Ten, with the first factor. Show them: they are not returned again. */
  readonly backupCodes: readonly string[];
}

/**
 * Has the browser make a passkey for the signed-in member, which `addPasskey` adds.
 * @returns undefined where the browser makes none without asking
 * @throws {GatehouseError} `verification_required`, `too_many_passkeys`
 * @throws a `NotAllowedError` if the user declined, an `InvalidStateError` if there is one on this device already
 */
export async function makePasskey(
  gatehouse: PasskeyClient,
  { auto = false, signal }: Making = {},
): Promise<MadePasskey | undefined> {
  const { credentials, PublicKey } = requirePasskeys();
  if (auto && (await PublicKey.getClientCapabilities?.())?.['conditionalCreate'] !== true) return undefined;
  const { data: asked } = await gatehouse.api.passkey.addOptions.mutate(auto ? { auto } : {});
  const publicKey = parseCreation(PublicKey, asked.options);
  const how = { ...(signal ? { signal } : {}), ...(auto ? { mediation: 'conditional' } : {}) };
  const credential = await credentials.create({ publicKey, ...how });
  if (credential === null) throw new Error('The browser made no passkey');
  return { flow: asked.flow, response: toJson(credential) };
}

/**
 * Adds a passkey to the signed-in member.
 * @returns undefined where the browser makes none without asking
 * @throws {GatehouseError} `verification_required`, `proof_required`, `too_many_passkeys`
 * @throws a `NotAllowedError` if the user declined, an `InvalidStateError` if there is one on this device already
 */
export async function addPasskey(
  gatehouse: PasskeyClient,
  { name, proof, made, ...how }: NewPasskey = {},
): Promise<AddedPasskey | undefined> {
  const passkey = made ?? (await makePasskey(gatehouse, how));
  if (passkey === undefined) return undefined;
  const { data, backupCodes, signals } = await gatehouse.api.passkey.add.mutate({
    ...passkey,
    ...(name === undefined ? {} : { name }),
    ...(proof === undefined ? {} : { proof }),
  });
  await sendSignals(signals);
  return { id: data.id, name: data.name, backupCodes: backupCodes ?? [] };
}
