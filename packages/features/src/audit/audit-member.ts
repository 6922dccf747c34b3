/** The subject of an audit line, or its actor if it has no subject. */
export function auditMember(line: {
  readonly actorId?: number | null | undefined;
  readonly onBehalfOfId?: number | null | undefined;
  readonly subjectKind?: string | null | undefined;
  readonly subjectId?: number | string | null | undefined;
}): number | undefined {
  const { actorId, onBehalfOfId, subjectKind, subjectId } = line;
  const subject = subjectKind === 'member' && subjectId !== null ? Number(subjectId) : undefined;
  return onBehalfOfId ?? subject ?? actorId ?? undefined;
}
