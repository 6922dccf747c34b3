/** The member an audit line is about: whom it names, or who acted where it names nobody. */
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
