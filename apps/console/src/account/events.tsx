import { useSending } from '@gatehouse/ui/failure/use-sending';
import { FailureNote } from '@gatehouse/ui/form/failure-note';
import { RowAction } from '@gatehouse/ui/list/row-action';
import { Gate, type GateState } from '@gatehouse/ui/parts/gate';
import { Sheet } from '@gatehouse/ui/parts/sheet';
import { shownTime } from '@gatehouse/ui/screen/shown-time';
import { useQueryClient } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import type { ReactElement } from 'react';
import { gatehouse } from '../client.js';
import { useMe } from '../session/me.js';
import { LINK } from '../shell/link-look.js';
import { type AccountPage, accountKey } from './account-page.js';
import { t } from './words.js';

/** So many stand on the page of an account. */
const FEW = 5;

type Webhook = AccountPage['webhooks'][number];

const STATES = {
  received: ['ajar', 'event.received'],
  processed: ['open', 'event.processed'],
  ignored: ['open', 'event.ignored'],
  rejected: ['shut', 'event.rejected'],
  failed: ['shut', 'event.failed'],
} as const satisfies Readonly<Record<Webhook['status'], readonly [GateState, string]>>;

/** Whether an event waits, or was given up. */
export const isOpen = ({ status }: Webhook): boolean => status === 'received' || status === 'failed';

/** What the payment providers told about an account, newest first. */
export function EventsSheet({ page: { account, webhooks } }: { readonly page: AccountPage }): ReactElement {
  return (
    <Sheet
      title={t('event.title')}
      aside={
        <Link to="/accounts/$accountId/billing" params={{ accountId: String(account.id) }} className={LINK}>
          {t('event.all')}
        </Link>
      }
    >
      <EventRows events={webhooks.slice(0, FEW)} accountId={account.id} />
    </Sheet>
  );
}

/** What the payment providers told about an account, all that the service shows; what was not applied stands first. */
export function AllEvents({ page: { account, webhooks } }: { readonly page: AccountPage }): ReactElement {
  const open = webhooks.filter(isOpen);
  return (
    <>
      {open.length === 0 ? null : (
        <Sheet title={t('event.open')}>
          <EventRows events={open} accountId={account.id} />
        </Sheet>
      )}
      <Sheet title={t('event.title')}>
        <EventRows events={webhooks.filter((event) => !isOpen(event))} accountId={account.id} />
      </Sheet>
    </>
  );
}

function EventRows({
  events,
  accountId,
}: {
  readonly events: readonly Webhook[];
  readonly accountId: number;
}): ReactElement {
  return events.length === 0 ? (
    <p className="p-3 text-quiet">{t('event.none')}</p>
  ) : (
    <ul className="divide-y divide-line">
      {events.map((event) => (
        <EventRow key={event.id} event={event} accountId={accountId} />
      ))}
    </ul>
  );
}

/** One event of a payment provider, and whether it was applied. One that was given up can be tried again. */
function EventRow({
  event,
  accountId,
}: {
  readonly event: Webhook;
  readonly accountId: number;
}): ReactElement {
  const queries = useQueryClient();
  const sending = useSending();
  const mayReplay = useMe().staffPermissions.includes('webhook.read');
  const { id, provider, type, status, reason, receivedAt } = event;
  const [state, words] = STATES[status];
  return (
    <li className="grid grid-cols-[1rem_minmax(0,1fr)] gap-x-3 gap-y-1 p-3 rows:grid-cols-[1rem_minmax(0,1fr)_auto]">
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
      {status === 'failed' && mayReplay ? (
        <div className="col-start-2 rows:col-start-3">
          <RowAction
            about={type ?? provider}
            isBusy={sending.isBusy}
            onClick={() =>
              sending.send(async (signal) => {
                await gatehouse.api.webhook.replay.mutate({ id }, { signal });
                await queries.invalidateQueries({ queryKey: accountKey(accountId) });
              })
            }
          >
            {t('event.again')}
          </RowAction>
        </div>
      ) : null}
      {sending.failure === undefined ? null : (
        <div className="col-span-full">
          <FailureNote failure={sending.failure} />
        </div>
      )}
    </li>
  );
}
