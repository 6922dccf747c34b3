import { requirePasskeys } from './browser.js';
import { parseCreation, toJson } from './json.js';
import type { PasskeyClient } from './passkey-client.js';
import { sendSignals } from './send-signals.js';

export interface NewPasskey {
  /** The name that the member gave it. */
  readonly name?: string;
  /** A proof of the mailbox or a ticket, where the service asks for it. */
  readonly proof?: { readonly emailCode: string } | { readonly ticket: string };
  /** Lets the browser make it without asking, within five minutes of a password, where it can. */
  readonly auto?: boolean;
  readonly signal?: AbortSignal;
}

export interface AddedPasskey {
  readonly id: number;
  readonly name: string;
  /** Ten, with the first factor. Show them: they are not returned again. */
  readonly backupCodes: readonly string[];
}

/**
 * Adds a passkey to the signed-in member.
 * @returns undefined where the browser makes none without asking
 * @throws {GatehouseError} `verification_required`, `proof_required`, `too_many_passkeys`
 * @throws a `NotAllowedError` if the user declined, an `InvalidStateError` if there is one on this device already
 */
export async function addPasskey(
  gatehouse: PasskeyClient,
  { name, proof, auto = false, signal }: NewPasskey = {},
): Promise<AddedPasskey | undefined> {
  const { credentials, PublicKey } = requirePasskeys();
  if (auto && (await PublicKey.getClientCapabilities?.())?.['conditionalCreate'] !== true) return undefined;
  const { addOptions, add } = gatehouse.api.passkey;
  const { data: asked } = await addOptions.mutate(auto ? { auto } : {});
  const publicKey = parseCreation(PublicKey, asked.options);
  const how = { ...(signal ? { signal } : {}), ...(auto ? { mediation: 'conditional' } : {}) };
  const credential = await credentials.create({ publicKey, ...how });
  if (credential === null) throw new Error('The browser made no passkey');
  const { data, backupCodes, signals } = await add.mutate({
    flow: asked.flow,
    response: toJson(credential),
    ...(name === undefined ? {} : { name }),
    ...(proof === undefined ? {} : { proof }),
  });
  await sendSignals(signals);
  return { id: data.id, name: data.name, backupCodes: backupCodes ?? [] };
}
