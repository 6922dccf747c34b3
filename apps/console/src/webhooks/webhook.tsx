import type { AdminOutputs } from '@gatehouse/client-sdk/admin';
import { useMutationState } from '@gatehouse/ui/failure/use-mutation-state';
import { FailureNote } from '@gatehouse/ui/form/form';
import { Button } from '@gatehouse/ui/parts/button';
import { Card } from '@gatehouse/ui/parts/card';
import { CopyButton } from '@gatehouse/ui/parts/copy-button';
import { Notice } from '@gatehouse/ui/parts/notice';
import { At } from '@gatehouse/ui/screen/ago';
import { Denied, QueryView } from '@gatehouse/ui/screen/asked';
import { inLanguage, Screen } from '@gatehouse/ui/screen/screen';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { Link, useParams } from '@tanstack/react-router';
import { type ReactElement, useState } from 'react';
import { gatehouse } from '../client.js';
import { mayAsStaff, useMe } from '../session/me.js';
import { LINK } from '../shell/action-links.js';
import { Trail } from '../shell/breadcrumbs.js';
import { Fact, Facts } from '../shell/facts.js';
import { t } from '../words.js';
import { STATUS } from './webhook-status.js';

type Detail = AdminOutputs['webhook']['detail']['data'];

export const WebhookScreen = inLanguage(Webhook);

function Webhook(): ReactElement {
  const { webhookId = '' } = useParams({ strict: false });
  return mayAsStaff(useMe(), 'webhook.read') ? <Asked key={webhookId} id={Number(webhookId)} /> : <Denied />;
}

function Asked({ id }: { readonly id: number }): ReactElement {
  const answer = useQuery({
    queryKey: ['webhooks', 'detail', id],
    queryFn: async ({ signal }) => (await gatehouse.api.webhook.detail.query({ id }, { signal })).data,
  });
  return (
    <QueryView
      answer={answer}
      title={t('frame.webhooks')}
      trail={<Trail to="/webhooks" all={t('frame.webhooks')} id={id} />}
    >
      {(webhook) => <Shown webhook={webhook} />}
    </QueryView>
  );
}

/** One delivery of a payment provider: its outcome and its body. */
function Shown({ webhook }: { readonly webhook: Detail }): ReactElement {
  const { id, type, status, attempts } = webhook;
  const queries = useQueryClient();
  const mutation = useMutationState();
  const [notice, setNotice] = useState<string>();
  const [tone, , words] = STATUS[status];
  const title = type ?? t('webhooks.noType');
  return (
    <Screen
      title={title}
      {...(tone === 'ok' ? {} : { tone })}
      lead={`${t(words)}${status === 'failed' ? ` ${t('mail.failed', { count: attempts })}` : ''}`}
      actions={
        status === 'failed' || status === 'processed' ? (
          <Button
            kind={status === 'failed' ? 'primary' : 'plain'}
            isBusy={mutation.isBusy}
            onClick={() =>
              mutation.send(async (signal) => {
                await gatehouse.api.webhook.replay.mutate({ id }, { signal });
                await queries.invalidateQueries({ queryKey: ['webhooks'] });
                setNotice(t('webhooks.again'));
              })
            }
          >
            {t(status === 'failed' ? 'mail.retry' : 'webhooks.replay')}
          </Button>
        ) : undefined
      }
    >
      {mutation.failure === undefined ? null : <FailureNote failure={mutation.failure} />}
      <Notice text={notice} onClose={setNotice} />
      <FactsCard webhook={webhook} />
      <Payload webhook={webhook} />
    </Screen>
  );
}

function FactsCard({
  webhook: { reason, account, provider, endpoint, eventId, address, attempts, ...times },
}: {
  readonly webhook: Detail;
}): ReactElement {
  const { occurredAt, receivedAt, processedAt } = times;
  return (
    <Card title={t('webhooks.facts')}>
      <Facts>
        {reason === null ? null : (
          <Fact name={t('list.reason')}>
            <bdi>{reason}</bdi>
          </Fact>
        )}
        <Fact name={t('members.account')}>
          {account === null ? (
            t('webhooks.noAccount')
          ) : (
            <Link
              to="/accounts/$accountId"
              params={{ accountId: String(account.id) }}
              className={`${LINK} gap-1`}
            >
              <bdi>{account.name}</bdi> <span className="font-mono">#{account.id}</span>
            </Link>
          )}
        </Fact>
        <Fact name={t('webhooks.provider')}>
          <bdi>{provider === endpoint ? provider : `${provider}, ${endpoint}`}</bdi>
        </Fact>
        {eventId === null ? null : (
          <Fact name={t('webhooks.event')}>
            <bdi className="font-mono">{eventId}</bdi>
          </Fact>
        )}
        <Fact name={t('webhooks.attempts')}>{String(attempts)}</Fact>
        {occurredAt === null ? null : (
          <Fact name={t('webhooks.occurred')}>
            <At at={occurredAt} />
          </Fact>
        )}
        <Fact name={t('webhooks.receivedAt')}>
          <At at={receivedAt} />
        </Fact>
        {processedAt === null ? null : (
          <Fact name={t('webhooks.onlyProcessed')}>
            <At at={processedAt} />
          </Fact>
        )}
        <Fact name={t('webhooks.address')}>
          <bdi className="font-mono">{address}</bdi>
        </Fact>
      </Facts>
    </Card>
  );
}

function Payload({
  webhook: { body, bodyEncoding, bodyBytes, status },
}: {
  readonly webhook: Detail;
}): ReactElement {
  const text = bodyEncoding === 'utf8' ? indented(body) : body;
  return (
    <Card title={t('webhooks.payload', { bytes: bodyBytes })} aside={<CopyButton text={body} />}>
      {status === 'rejected' ? <p className="px-3 pt-3 text-quiet">{t('webhooks.cut')}</p> : null}
      {bodyEncoding === 'base64' ? <p className="px-3 pt-3 text-quiet">{t('webhooks.base64')}</p> : null}
      <pre
        dir="ltr"
        className="max-h-[40rem] overflow-auto p-3 font-mono text-note whitespace-pre-wrap wrap-anywhere"
      >
        {text}
      </pre>
    </Card>
  );
}

/** JSON over several lines. Other text stays unchanged. */
function indented(body: string): string {
  try {
    return JSON.stringify(JSON.parse(body), null, 2);
  } catch {
    return body;
  }
}
