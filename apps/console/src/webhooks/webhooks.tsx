import { useMutationState } from '@gatehouse/ui/failure/use-mutation-state';
import { FailureNote } from '@gatehouse/ui/form/form';
import { More, RowAction, usePages } from '@gatehouse/ui/list/paged-list';
import { Button } from '@gatehouse/ui/parts/button';
import { Card } from '@gatehouse/ui/parts/card';
import { RowMark } from '@gatehouse/ui/parts/icons';
import { Notice } from '@gatehouse/ui/parts/notice';
import { Denied, QueryView } from '@gatehouse/ui/screen/asked';
import { inLanguage, Screen } from '@gatehouse/ui/screen/screen';
import { shownTime } from '@gatehouse/ui/screen/shown-time';
import { useQueryClient } from '@tanstack/react-query';
import { getRouteApi, Link } from '@tanstack/react-router';
import { type ReactElement, useState } from 'react';
import { WEBHOOK_STATUSES } from '../address-filters.js';
import { gatehouse } from '../client.js';
import { mayAsStaff, useMe } from '../session/me.js';
import { ChoiceLink, LINK } from '../shell/action-links.js';
import { t } from '../words.js';
import { ReplayAllDialog } from './replay-all.js';
import { STATUS, type Webhook } from './webhook-status.js';

export const WebhooksScreen = inLanguage(Webhooks);

const route = getRouteApi('/frame/webhooks');

const ONLY = {
  failed: 'webhooks.onlyFailed',
  received: 'webhooks.onlyReceived',
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
  const hasFailed = filter.status === 'failed' && (list.data?.length ?? 0) > 1;
  return (
    <Screen
      title={t('webhooks.title')}
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
        <nav aria-label={t('webhooks.states')} className="flex flex-wrap">
          <ChoiceLink to="/webhooks" search={{}} isChosen={filter.status === undefined}>
            {t('mail.any')}
          </ChoiceLink>
          {WEBHOOK_STATUSES.map((status) => (
            <ChoiceLink key={status} to="/webhooks" search={{ status }} isChosen={filter.status === status}>
              {t(ONLY[status])}
            </ChoiceLink>
          ))}
        </nav>
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
        <Card title={t('webhooks.sheet')}>
          <QueryView answer={list} isPart>
            {(webhooks) => (
              <>
                {webhooks.length === 0 ? <p className="p-3 text-quiet">{t('webhooks.none')}</p> : null}
                <ul className="divide-y divide-line">
                  {webhooks.map((webhook) => (
                    <Row key={webhook.id} webhook={webhook} onAgain={() => setNotice(t('webhooks.again'))} />
                  ))}
                </ul>
                <More of={list} />
              </>
            )}
          </QueryView>
        </Card>
      </div>
    </Screen>
  );
}

function Row({
  webhook,
  onAgain,
}: {
  readonly webhook: Webhook;
  readonly onAgain: () => void;
}): ReactElement {
  const { id, provider, type, eventId, status, reason, attempts, receivedAt } = webhook;
  const queries = useQueryClient();
  const mutation = useMutationState();
  const [tone, words] = STATUS[status];
  return (
    <li className="grid grid-cols-[1rem_minmax(0,1fr)] gap-x-3 gap-y-1 p-3 rows:grid-cols-[1rem_minmax(0,1fr)_auto]">
      <span className="pt-0.5">
        <RowMark tone={tone} />
      </span>
      <div className="min-w-0 wrap-anywhere">
        <p>
          <Link to="/webhooks/$webhookId" params={{ webhookId: String(id) }} className={LINK}>
            <bdi className="font-mono font-semibold">{type ?? t('webhooks.noType')}</bdi>
          </Link>{' '}
          {t(words, { count: attempts })}
        </p>
        <p className="text-quiet">
          <bdi>{provider}</bdi>, {t('webhooks.arrived', { time: shownTime(receivedAt) })}
          {eventId === null ? null : (
            <>
              , <bdi className="font-mono">{eventId}</bdi>
            </>
          )}
        </p>
        {reason === null ? null : (
          <p className="text-brick">
            <bdi>{reason}</bdi>
          </p>
        )}
      </div>
      {status === 'failed' ? (
        <div className="col-start-2 rows:col-start-3">
          <RowAction
            about={eventId ?? `#${id}`}
            isBusy={mutation.isBusy}
            onClick={() =>
              mutation.send(async (signal) => {
                await gatehouse.api.webhook.replay.mutate({ id }, { signal });
                await queries.invalidateQueries({ queryKey: ['webhooks'] });
                onAgain();
              })
            }
          >
            {t('mail.retry')}
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
