import { Button } from '@gatehouse/ui/parts/button';
import { Card } from '@gatehouse/ui/parts/card';
import { RowMark } from '@gatehouse/ui/parts/icons';
import { Notice } from '@gatehouse/ui/parts/notice';
import { Ago } from '@gatehouse/ui/screen/ago';
import { QueryView } from '@gatehouse/ui/screen/asked';
import { inLanguage, Screen } from '@gatehouse/ui/screen/screen';
import { Link } from '@tanstack/react-router';
import { type ReactElement, useState } from 'react';
import { takeKept } from '../../../../tab-storage.js';
import { usePlace } from '../../account-place.js';
import { DeveloperFrame } from '../developer-frame.js';
import { t } from '../words.js';
import { useEndpoints } from './endpoint-data.js';
import { EndpointDialog, type MadeSecret, SecretDialog } from './endpoint-dialogs.js';
import { type Endpoint, endpointStatus } from './endpoint-status.js';

export const EndpointsScreen = inLanguage(Endpoints);

function Endpoints(): ReactElement {
  return (
    <DeveloperFrame permission="event.manage">
      <List />
    </DeveloperFrame>
  );
}

/** The endpoints that get the events of the account. */
function List(): ReactElement {
  const endpoints = useEndpoints();
  const [isAdding, setAdding] = useState(false);
  const [made, setMade] = useState<MadeSecret>();
  const [notice, setNotice] = useState(() => takeKept('notice'));
  const add = (
    <Button kind="primary" onClick={() => setAdding(true)}>
      {t('endpoint.add')}
    </Button>
  );
  return (
    <QueryView answer={endpoints}>
      {(rows) => (
        <Screen
          title={t('endpoints.title')}
          lead={t('endpoints.lead')}
          actions={rows.length === 0 ? undefined : add}
        >
          <Notice text={notice} onClose={setNotice} />
          {rows.length === 0 ? (
            <Card title={t('endpoints.noneTitle')}>
              <div className="flex flex-col items-start gap-4 p-3">
                <p className="max-w-prose">{t('endpoints.none')}</p>
                {add}
              </div>
            </Card>
          ) : (
            <Card title={t('endpoints.list')}>
              <ul className="divide-y divide-line">
                {rows.map((endpoint) => (
                  <Row key={endpoint.id} endpoint={endpoint} />
                ))}
              </ul>
            </Card>
          )}
          {isAdding ? (
            <EndpointDialog
              onSaved={({ secret, ping }) => {
                if (secret !== undefined) setMade({ secret, ping });
              }}
              onClose={() => setAdding(false)}
            />
          ) : null}
          {made === undefined ? null : <SecretDialog made={made} onClose={() => setMade(undefined)} />}
        </Screen>
      )}
    </QueryView>
  );
}

function Row({ endpoint }: { readonly endpoint: Endpoint }): ReactElement {
  const { id, url, description, lastSuccessAt } = endpoint;
  const { accountId } = usePlace();
  const { tone, title } = endpointStatus(endpoint);
  return (
    <li className="grid grid-cols-[1rem_minmax(0,1fr)] items-start gap-x-3 px-3 py-2.5">
      <span className="pt-0.5">
        <RowMark tone={tone} />
      </span>
      <div className="flex min-w-0 flex-col gap-1 wrap-anywhere">
        <Link
          to="/a/$account/developers/endpoints/$endpoint"
          params={{ account: String(accountId), endpoint: String(id) }}
          className="min-h-6 font-semibold underline decoration-line underline-offset-3 hover:decoration-ink"
        >
          <bdi>{url}</bdi>
        </Link>
        {description === '' ? null : <bdi className="text-quiet">{description}</bdi>}
        <p className="text-note text-quiet">
          <span>{title} · </span>
          {lastSuccessAt === null ? (
            t('endpoint.noSuccess')
          ) : (
            <>
              {t('endpoint.lastSuccess')} <Ago at={lastSuccessAt} />
            </>
          )}
        </p>
      </div>
    </li>
  );
}
