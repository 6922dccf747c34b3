import type { ForeignConnection } from './foreign-line.js';

/** An identity at a provider, which may have another name in the other system. */
interface ForeignIdentity extends Omit<ForeignConnection, 'id'> {
  /** Undefined if the system does not have it. */
  readonly id: string | undefined;
}

/** The identities at providers that exist here too, and a note about each of the others. */
export function knownIdentities(
  identities: readonly ForeignIdentity[],
  /** Our names of the providers, by those of the other system. */
  names: Readonly<Record<string, string>>,
): { readonly connections: ForeignConnection[]; readonly notes: string[] } {
  const connections: ForeignConnection[] = [];
  const notes: string[] = [];
  for (const { id, ...identity } of identities) {
    const provider = Object.hasOwn(names, identity.provider) ? names[identity.provider] : undefined;
    if (provider !== undefined && id !== undefined) connections.push({ ...identity, provider, id });
    else notes.push(`sign-in through ${JSON.stringify(identity.provider)}, which is no provider here`);
  }
  return { connections, notes };
}
