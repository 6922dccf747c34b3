import { useMutationState } from '@gatehouse/ui/failure/use-mutation-state';
import { FailureNote } from '@gatehouse/ui/form/form';
import { RowAction, usePages } from '@gatehouse/ui/list/paged-list';
import { PagedTable } from '@gatehouse/ui/list/paged-table';
import { Button } from '@gatehouse/ui/parts/button';
import { Notice } from '@gatehouse/ui/parts/notice';
import { At } from '@gatehouse/ui/screen/ago';
import { Denied } from '@gatehouse/ui/screen/asked';
import { inLanguage, Screen } from '@gatehouse/ui/screen/screen';
import { type Column, TITLE_CELL } from '@gatehouse/ui/table/data-table';
import { useQueryClient } from '@tanstack/react-query';
import { getRouteApi, Link } from '@tanstack/react-router';
import { type ReactElement, useState } from 'react';
import { WEBHOOK_STATUSES } from '../address-filters.js';
import { gatehouse } from '../client.js';
import { mayAsStaff, useMe } from '../session/me.js';
import { ChoiceLink, ChoiceLinks, ROW_LINK } from '../shell/action-links.js';
import { t } from '../words.js';
import { ReplayAllDialog } from './replay-all.js';
import { type Webhook, WebhookStatus } from './webhook-status.js';

export const WebhooksScreen = inLanguage(Webhooks);

const route = getRouteApi('/frame/webhooks');

const ONLY = {
  failed: 'list.failed',
  received: 'list.waiting',
  processed: 'webhooks.onlyProcessed',
  ignored: 'webhooks.onlyIgnored',
  rejected: 'webhooks.onlyRejected',
} as const;

function Webhooks(): ReactElement {
  return mayAsStaff(useMe(), 'webhook.read') ? <Listed /> : <Denied />;
}

function Listed(): ReactElement {
  const filter = route.useSearch();
  const list = usePages<Webhook>(['webhooks', filter], (page, signal) =>
    gatehouse.api.webhook.list.query({ ...page, ...filter }, { signal }),
  );
  const [notice, setNotice] = useState<string>();
  const [isReplayingAll, setReplayingAll] = useState(false);
  const queries = useQueryClient();
  const mutation = useMutationState();
  const replay = (id: number) =>
    mutation.send(async (signal) => {
      await gatehouse.api.webhook.replay.mutate({ id }, { signal });
      await queries.invalidateQueries({ queryKey: ['webhooks'] });
      setNotice(t('webhooks.again'));
    });
  const hasFailed = filter.status === 'failed' && (list.data?.length ?? 0) > 1;
  return (
    <Screen
      title={t('frame.webhooks')}
      lead={t('webhooks.lead')}
      actions={
        hasFailed ? (
          <Button kind="primary" onClick={() => setReplayingAll(true)}>
            {t('webhooks.all')}
          </Button>
        ) : undefined
      }
    >
      <div className="flex flex-col gap-4">
        <ChoiceLinks label={t('list.status')}>
          <ChoiceLink to="/webhooks" search={{}} isChosen={filter.status === undefined}>
            {t('mail.any')}
          </ChoiceLink>
          {WEBHOOK_STATUSES.map((status) => (
            <ChoiceLink key={status} to="/webhooks" search={{ status }} isChosen={filter.status === status}>
              {t(ONLY[status])}
            </ChoiceLink>
          ))}
        </ChoiceLinks>
        <Notice text={notice} onClose={setNotice} />
        {isReplayingAll ? (
          <ReplayAllDialog
            onDone={({ retried, leftOut }) => {
              setReplayingAll(false);
              const said = retried > 0 || leftOut === 0 ? [t('webhooks.allDone', { count: retried })] : [];
              if (leftOut > 0) said.push(t('webhooks.allLeftOut', { count: leftOut }));
              setNotice(said.join(' '));
            }}
            onClose={() => setReplayingAll(false)}
          />
        ) : null}
        {mutation.failure === undefined ? null : <FailureNote failure={mutation.failure} />}
        <PagedTable
          list={list}
          none={t('webhooks.none')}
          label={t('frame.webhooks')}
          columns={columnsOf(replay, mutation.isBusy)}
          nameOf={({ type }) => type ?? t('webhooks.noType')}
        />
      </div>
    </Screen>
  );
}

function columnsOf(replay: (id: number) => void, isBusy: boolean): readonly Column<Webhook>[] {
  return [
    {
      key: 'at',
      title: t('webhooks.receivedAt'),
      className: 'w-44 text-quiet',
      cell: ({ receivedAt }) => <At at={receivedAt} />,
    },
    {
      key: 'type',
      title: t('webhooks.event'),
      className: TITLE_CELL,
      cell: ({ id, type, eventId }, tabIndex) => (
        <>
          <Link
            to="/webhooks/$webhookId"
            params={{ webhookId: String(id) }}
            tabIndex={tabIndex}
            className={ROW_LINK}
          >
            <bdi className="font-mono">{type ?? t('webhooks.noType')}</bdi>
          </Link>
          {eventId === null ? null : <bdi className="block font-mono text-note text-quiet">{eventId}</bdi>}
        </>
      ),
    },
    {
      key: 'provider',
      title: t('webhooks.provider'),
      className: 'w-28',
      cell: ({ provider }) => <bdi>{provider}</bdi>,
    },
    {
      key: 'status',
      title: t('list.status'),
      className: 'w-72',
      cell: (webhook) => (
        <>
          <WebhookStatus of={webhook} />
          {webhook.status === 'failed' ? (
            <span className="block">
              <RowAction
                about={webhook.eventId ?? `#${webhook.id}`}
                isBusy={isBusy}
                onClick={() => replay(webhook.id)}
              >
                {t('mail.retry')}
              </RowAction>
            </span>
          ) : null}
        </>
      ),
    },
  ];
}
