import { useMutationState } from '@gatehouse/ui/failure/use-mutation-state';
import { FailureNote } from '@gatehouse/ui/form/form';
import { RowAction } from '@gatehouse/ui/list/paged-list';
import { Card } from '@gatehouse/ui/parts/card';
import { At } from '@gatehouse/ui/screen/ago';
import { useQueryClient } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import type { ReactElement } from 'react';
import { gatehouse } from '../client.js';
import { useMe } from '../session/me.js';
import { LINK } from '../shell/action-links.js';
import { WebhookStatus } from '../webhooks/webhook-status.js';
import { t as ofConsole } from '../words.js';
import { type AccountPage, accountKey } from './account-page.js';
import { t } from './words.js';

/** How many the page of an account shows. */
const FEW = 5;

type Webhook = AccountPage['webhooks'][number];

/** Whether an event is pending or has failed. */
export const isOpen = ({ status }: Webhook): boolean => status === 'received' || status === 'failed';

/** The payment events of an account, newest first. */
export function EventsCard({ page: { account, webhooks } }: { readonly page: AccountPage }): ReactElement {
  return (
    <Card
      title={t('event.title')}
      aside={
        <Link to="/accounts/$accountId/billing" params={{ accountId: String(account.id) }} className={LINK}>
          {t('event.all')}
        </Link>
      }
    >
      <EventRows events={webhooks.slice(0, FEW)} accountId={account.id} />
    </Card>
  );
}

/** All payment events of an account that the service lists; those not applied first. */
export function AllEvents({ page: { account, webhooks } }: { readonly page: AccountPage }): ReactElement {
  const open = webhooks.filter(isOpen);
  return (
    <>
      {open.length === 0 ? null : (
        <Card title={t('event.open')}>
          <EventRows events={open} accountId={account.id} />
        </Card>
      )}
      <Card title={t('event.title')}>
        <EventRows events={webhooks.filter((event) => !isOpen(event))} accountId={account.id} />
      </Card>
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

/** A payment event, and whether it was applied. A failed one can be retried. */
function EventRow({
  event,
  accountId,
}: {
  readonly event: Webhook;
  readonly accountId: number;
}): ReactElement {
  const queries = useQueryClient();
  const mutation = useMutationState();
  const mayReplay = useMe().staffPermissions.includes('webhook.read');
  const { id, provider, type, status, receivedAt } = event;
  return (
    <li className="grid gap-x-3 gap-y-1 p-3 rows:grid-cols-[minmax(0,1fr)_auto]">
      <div className="min-w-0 wrap-anywhere">
        <p>
          {mayReplay ? (
            <Link to="/webhooks/$webhookId" params={{ webhookId: String(id) }} className={LINK}>
              <bdi className="font-mono font-semibold">{type ?? ofConsole('webhooks.noType')}</bdi>
            </Link>
          ) : (
            <bdi className="font-mono font-semibold">{type ?? ofConsole('webhooks.noType')}</bdi>
          )}
        </p>
        <p>
          <span className="text-quiet">
            <At at={receivedAt} />
            {' · '}
            <bdi>{provider}</bdi>
            {' · '}
          </span>
          <WebhookStatus of={event} />
        </p>
      </div>
      {status === 'failed' && mayReplay ? (
        <div>
          <RowAction
            about={type ?? provider}
            isBusy={mutation.isBusy}
            onClick={() =>
              mutation.send(async (signal) => {
                await gatehouse.api.webhook.replay.mutate({ id }, { signal });
                await queries.invalidateQueries({ queryKey: accountKey(accountId) });
              })
            }
          >
            {ofConsole('mail.retry')}
          </RowAction>
        </div>
      ) : null}
      {mutation.failure === undefined ? null : (
        <div className="col-span-full">
          <FailureNote failure={mutation.failure} />
        </div>
      )}
    </li>
  );
}
