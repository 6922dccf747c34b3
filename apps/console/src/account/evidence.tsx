import { shownTime } from '@gatehouse/screens/screen/shown-time';
import { Gate, type GateState } from '@gatehouse/ui/parts/gate';
import { Sheet } from '@gatehouse/ui/parts/sheet';
import { Link } from '@tanstack/react-router';
import type { ReactElement } from 'react';
import { shownName } from '../session/shown-name.js';
import { LINK } from '../shell/link-look.js';
import type { AccountPage } from './account-page.js';
import { t } from './words.js';

/** So many of each stand on the page of an account; the rest on a screen of its own. */
const FEW = 5;

/** Who belongs to an account. */
export function MembersSheet({
  page: { account, members, counts },
}: {
  readonly page: AccountPage;
}): ReactElement {
  return (
    <Sheet
      title={t('account.members', { count: counts.members })}
      aside={
        <Link to="/accounts/$accountId/members" params={{ accountId: String(account.id) }} className={LINK}>
          {t('people.all')}
        </Link>
      }
    >
      {members.length === 0 ? <p className="p-3 text-quiet">{t('account.noMembers')}</p> : null}
      <ul className="divide-y divide-line">
        {members.slice(0, FEW).map((member) => (
          <li
            key={member.id}
            className="flex flex-wrap items-baseline justify-between gap-x-3 p-3 wrap-anywhere"
          >
            <span>
              <Link to="/members/$memberId" params={{ memberId: String(member.id) }} className={LINK}>
                <bdi>{shownName(member)}</bdi>
              </Link>{' '}
              {member.isPrimaryOwner === true ? (
                <span className="text-quiet">{t('account.primaryOwner')}</span>
              ) : null}
            </span>
            <bdi className="text-quiet">{member.accountRoleLabel}</bdi>
          </li>
        ))}
      </ul>
    </Sheet>
  );
}

type Webhook = AccountPage['webhooks'][number];

const STATES = {
  received: ['ajar', 'event.received'],
  processed: ['open', 'event.processed'],
  ignored: ['open', 'event.ignored'],
  rejected: ['shut', 'event.rejected'],
  failed: ['shut', 'event.failed'],
} as const satisfies Readonly<Record<Webhook['status'], readonly [GateState, string]>>;

/** What the payment providers told about an account, newest first. */
export function EventsSheet({ page: { webhooks } }: { readonly page: AccountPage }): ReactElement {
  return (
    <Sheet title={t('event.title')}>
      {webhooks.length === 0 ? <p className="p-3 text-quiet">{t('event.none')}</p> : null}
      <ul className="divide-y divide-line">
        {webhooks.slice(0, FEW).map((event) => (
          <EventRow key={event.id} event={event} />
        ))}
      </ul>
    </Sheet>
  );
}

/** One event of a payment provider, and whether it was applied. */
function EventRow({ event }: { readonly event: Webhook }): ReactElement {
  const { provider, type, status, reason, receivedAt } = event;
  const [state, words] = STATES[status];
  return (
    <li className="grid grid-cols-[1rem_minmax(0,1fr)] gap-x-3 p-3">
      <span className="pt-0.5">
        <Gate state={state} />
      </span>
      <div className="min-w-0 wrap-anywhere">
        <p>
          <bdi className="font-mono font-semibold">{type ?? t('event.untyped')}</bdi> {t(words)}
        </p>
        <p className="text-quiet">
          {shownTime(receivedAt)}, <bdi>{provider}</bdi>
        </p>
        {reason === null ? null : (
          <p className={state === 'shut' ? 'text-brick' : 'text-quiet'}>
            <bdi>{reason}</bdi>
          </p>
        )}
      </div>
    </li>
  );
}
