import type { ForeignFiles, ForeignLine, ForeignMembership } from './foreign-line.js';

interface Source {
  /** The names of the files. */
  readonly organizations: string;
  readonly members: string;
  /** Whether a member with these roles may own an account here. */
  owns(roles: readonly string[]): boolean;
  toOrganization(
    value: unknown,
  ): { id: string; name: string; createdAt?: string | number | undefined } | undefined;
  toMembership(value: unknown): ForeignMembership | undefined;
}

/**
 * Organizations, each with the first of its members who may own it, then the memberships. It remembers the owner of each
 * organization.
 */
export async function* readOrganizations(files: ForeignFiles, source: Source): AsyncGenerator<ForeignLine> {
  const { organizations, members, owns, toOrganization, toMembership } = source;
  if (!files.has(organizations)) return;
  const owners = new Map<string, string>();
  if (files.has(members))
    for await (const { value } of files.readJsonObjects(members)) {
      const membership = toMembership(value);
      if (membership === undefined || owners.has(membership.accountId)) continue;
      if (owns(membership.roles)) owners.set(membership.accountId, membership.personId);
    }
  for await (const { file, number, value, problem } of files.readJsonObjects(organizations)) {
    const account = toOrganization(value);
    const ownerId = account && owners.get(account.id);
    if (problem !== undefined || account === undefined)
      yield { file, number, problem: problem ?? 'is no organization: it has no id' };
    else if (ownerId === undefined)
      yield {
        file,
        number,
        problem: 'has nobody with a role that --map turns into owner (1) or admin (0), who could own it',
        failed: account.id,
      };
    else yield { file, number, account: { ...account, ownerId } };
  }
  if (!files.has(members)) return;
  for await (const { file, number, value, problem } of files.readJsonObjects(members)) {
    const membership = toMembership(value);
    if (membership === undefined)
      yield { file, number, problem: problem ?? 'lacks the id of the organization, or that of the person' };
    else yield { file, number, membership };
  }
}
