import type { ReactElement, ReactNode } from 'react';
import { StatusIcon, type StatusTone } from '../parts/icons.js';
import { Initials } from '../parts/initials.js';
import { Menu, type MenuItem } from '../parts/menu.js';
import { t } from './words.js';

/** A row of a team: a member or an invitation, its role, and what may be done about it. */
export function TeamRow({
  tone,
  about,
  lines,
  role,
  actions,
  children,
}: {
  readonly tone: StatusTone;
  /** The name of the row, which screen readers add to its actions. */
  readonly about: string;
  readonly lines: ReactNode;
  readonly role: string | null;
  readonly actions: readonly MenuItem[];
  /** Dialogs, and content below the whole row. */
  readonly children?: ReactNode;
}): ReactElement {
  return (
    <li className="grid grid-cols-[2rem_minmax(0,1fr)_auto] items-start gap-x-3 gap-y-1 border-b border-line px-3 py-2.5 last:border-0 rows:grid-cols-[2rem_minmax(0,1fr)_10rem_3rem]">
      <PersonMark tone={tone} of={about} />
      <div className="min-w-0 wrap-anywhere">{lines}</div>
      <bdi className="col-start-2 text-quiet wrap-anywhere rows:col-start-3">{role}</bdi>
      {actions.length === 0 ? null : (
        <div className="col-start-3 row-start-1 rows:col-start-4">
          <Menu isRow label={t('team.actions', { name: about })} about={about} items={actions} />
        </div>
      )}
      {children}
    </li>
  );
}

/** The initials of a person, with a sign at their edge where a state needs attention. The words beside them say it. */
function PersonMark({ tone, of }: { readonly tone: StatusTone; readonly of: string }): ReactElement {
  return (
    <span className="relative">
      <Initials of={of} />
      {tone === 'ok' ? null : (
        <span className="absolute -end-1 -bottom-1 rounded-full bg-card p-px">
          <StatusIcon tone={tone} size={14} />
        </span>
      )}
    </span>
  );
}

/** Whether a member has access, and why not. */
export function memberStatus({
  hasAccess,
  emailVerified,
  isPrimaryOwner,
}: {
  readonly hasAccess: boolean;
  readonly emailVerified: boolean;
  readonly isPrimaryOwner: boolean | null | undefined;
}): { readonly tone: StatusTone; readonly words: string | undefined } {
  if (!hasAccess) return { tone: 'error', words: t('team.noAccess') };
  if (!emailVerified) return { tone: 'pending', words: t('team.unconfirmed') };
  return { tone: 'ok', words: isPrimaryOwner === true ? t('team.primaryOwner') : undefined };
}
