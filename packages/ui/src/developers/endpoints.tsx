import { type ReactElement, type ReactNode, useState } from 'react';
import { Button } from '../parts/button.js';
import { Card } from '../parts/card.js';
import { RowMark } from '../parts/icons.js';
import { Notice } from '../parts/notice.js';
import { Ago } from '../screen/ago.js';
import { QueryView } from '../screen/asked.js';
import { Screen } from '../screen/screen.js';
import { useEndpoints } from './endpoint-data.js';
import { EndpointDialog, type MadeSecret, SecretDialog } from './endpoint-dialogs.js';
import { type Endpoint, endpointStatus } from './endpoint-status.js';
import { usePrograms } from './programs.js';
import { t } from './words.js';

/** The endpoints that get the events of an account, of the deployment, or of a partner. */
export function Endpoints({
  lead,
  firstNotice,
  linkTo,
}: {
  readonly lead: string;
  /** A notice left by another screen. */
  readonly firstNotice: string | undefined;
  /** A link to the screen of an endpoint. */
  readonly linkTo: (endpointId: number, look: LinkLook) => ReactElement;
}): ReactElement {
  const endpoints = useEndpoints();
  const { isPartner } = usePrograms();
  const [isAdding, setAdding] = useState(false);
  const [made, setMade] = useState<MadeSecret>();
  const [notice, setNotice] = useState(firstNotice);
  const add = (
    <Button kind="primary" onClick={() => setAdding(true)}>
      {t('endpoint.add')}
    </Button>
  );
  return (
    <QueryView answer={endpoints} title={t('endpoints.title')}>
      {(rows) => (
        <Screen title={t('endpoints.title')} lead={lead} actions={rows.length === 0 ? undefined : add}>
          <Notice text={notice} onClose={setNotice} />
          {rows.length === 0 ? (
            <Card title={t('endpoints.noneTitle')}>
              <div className="flex flex-col items-start gap-4 p-3">
                <p className="max-w-prose">{t(isPartner ? 'endpoints.noneOfPartner' : 'endpoints.none')}</p>
                {add}
              </div>
            </Card>
          ) : (
            <Card title={t('endpoints.list')}>
              <ul className="divide-y divide-line">
                {rows.map((endpoint) => (
                  <Row key={endpoint.id} endpoint={endpoint} linkTo={linkTo} />
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

/** How a link in the list looks, and what it says. */
export interface LinkLook {
  readonly className: string;
  readonly children: ReactNode;
}

function Row({
  endpoint,
  linkTo,
}: {
  readonly endpoint: Endpoint;
  readonly linkTo: (endpointId: number, look: LinkLook) => ReactElement;
}): ReactElement {
  const { id, url, description, lastSuccessAt } = endpoint;
  const { tone, title } = endpointStatus(endpoint);
  return (
    <li className="grid grid-cols-[1rem_minmax(0,1fr)] items-start gap-x-3 px-3 py-2.5">
      <span className="pt-0.5">
        <RowMark tone={tone} />
      </span>
      <div className="flex min-w-0 flex-col gap-1 wrap-anywhere">
        {linkTo(id, {
          className:
            'min-h-6 font-semibold underline decoration-line underline-offset-3 hover:decoration-ink',
          children: <bdi>{url}</bdi>,
        })}
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
