import { More } from '@gatehouse/ui/list/more';
import { usePages } from '@gatehouse/ui/list/use-pages';
import { Banner } from '@gatehouse/ui/parts/banner';
import { Card } from '@gatehouse/ui/parts/card';
import { Asked } from '@gatehouse/ui/screen/asked';
import { inLanguage } from '@gatehouse/ui/screen/in-language';
import { Screen } from '@gatehouse/ui/screen/screen';
import { type ReactElement, useState } from 'react';
import { gatehouse } from '../../../client.js';
import { nameOfProvider } from '../../../signed-out/provider-names.js';
import { useSettings } from '../../../signed-out/use-settings.js';
import { isReadOnly, useMe } from '../../session/me.js';
import { NotYours } from '../not-yours.js';
import { ConnectionRow } from './connection-row.js';
import { LinkButton } from './link-button.js';
import { CONNECTIONS_KEY, type OwnConnection } from './own-connection.js';
import { useOnlyWayIn } from './use-only-way-in.js';
import { t } from './words.js';

export const ConnectionsScreen = inLanguage(Connections);

function Connections(): ReactElement {
  const me = useMe();
  return isReadOnly(me) ? <NotYours /> : <Own />;
}

function Own(): ReactElement {
  const list = usePages<OwnConnection>(CONNECTIONS_KEY, (page, signal) =>
    gatehouse.api.social.list.query(page, { signal }),
  );
  return <Asked answer={list}>{(connections) => <Listed connections={connections} list={list} />}</Asked>;
}

/** The provider that somebody comes back from. */
const comesFrom = (): string | null => new URLSearchParams(location.search).get('connected');

function Listed({
  connections,
  list,
}: {
  readonly connections: readonly OwnConnection[];
  readonly list: Parameters<typeof More>[0]['of'];
}): ReactElement {
  const { providers } = useSettings();
  const isOnlyWayIn = useOnlyWayIn(connections);
  const [notice, setNotice] = useState(() => {
    const provider = comesFrom();
    const isThere = connections.some((each) => each.provider === provider);
    return provider !== null && isThere ? t('link.done', { provider: nameOfProvider(provider) }) : undefined;
  });
  const title = t('connections.title', { count: connections.length });
  return (
    <Screen title={title} lead={t('connections.lead')}>
      {notice === undefined ? null : <Banner tone="ok">{notice}</Banner>}
      {connections.length === 0 ? null : (
        <Card title={t('connections.sheet')}>
          <ul className="divide-y divide-line">
            {connections.map((connection) => (
              <ConnectionRow
                key={connection.id}
                connection={connection}
                isOnlyWayIn={isOnlyWayIn}
                onNotice={setNotice}
              />
            ))}
          </ul>
          <More of={list} />
        </Card>
      )}
      <Card title={t('link.title')}>
        {providers.length === 0 ? (
          <p className="p-3 text-quiet">{t('link.none')}</p>
        ) : (
          <div className="flex flex-col gap-4 p-3">
            <p>{t('link.lead')}</p>
            <ul className="flex flex-wrap gap-3">
              {providers.map((provider) => (
                <li key={provider}>
                  <LinkButton provider={provider} />
                </li>
              ))}
            </ul>
          </div>
        )}
      </Card>
    </Screen>
  );
}
