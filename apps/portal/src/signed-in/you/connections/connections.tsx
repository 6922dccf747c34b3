import { type MainOutputs, type SocialProvider, startConnecting } from '@gatehouse/client-sdk';
import { useMutationState } from '@gatehouse/ui/failure/use-mutation-state';
import { Confirm } from '@gatehouse/ui/form/confirm';
import { FailureNote } from '@gatehouse/ui/form/form';
import { More, RowAction, usePages } from '@gatehouse/ui/list/paged-list';
import { Button } from '@gatehouse/ui/parts/button';
import { Card } from '@gatehouse/ui/parts/card';
import { StatusIcon } from '@gatehouse/ui/parts/icons';
import { Notice } from '@gatehouse/ui/parts/notice';
import { QueryView } from '@gatehouse/ui/screen/asked';
import { inLanguage, Screen } from '@gatehouse/ui/screen/screen';
import { shownAddress } from '@gatehouse/ui/screen/shown-address';
import { shownDay } from '@gatehouse/ui/screen/shown-time';
import { withReauth } from '@gatehouse/ui/session/with-reauth';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { type ReactElement, useState } from 'react';
import { gatehouse } from '../../../client.js';
import { keepFlowAtProvider } from '../../../provider-flow.js';
import { ProviderMark } from '../../../signed-out/provider-mark.js';
import { nameOfProvider } from '../../../signed-out/provider-names.js';
import { useSettings } from '../../../signed-out/settings.js';
import { NotYours } from '../../screen/not-yours.js';
import { isReadOnly, useMe } from '../../session/me.js';
import { factorsQuery } from '../security/security-status.js';
import { t } from './words.js';

type OwnConnection = MainOutputs['social']['list']['data'][number];

const CONNECTIONS_KEY = ['you', 'connections'] as const;

/** Removes a connection with its provider data. */
export function UnlinkDialog({
  connection,
  onNotice,
  onClose,
}: {
  readonly connection: OwnConnection;
  readonly onNotice: (notice: string) => void;
  readonly onClose: () => void;
}): ReactElement {
  const queries = useQueryClient();
  const mutation = useMutationState();
  const provider = nameOfProvider(connection.provider);
  return (
    <Confirm
      title={t('unlink.title', { provider })}
      effect={t('unlink.effect', { provider })}
      action={t('unlink.submit')}
      mutation={mutation}
      onConfirm={async (_fields, signal) => {
        const ended = { connectionId: connection.id };
        await withReauth(() => gatehouse.api.social.remove.mutate(ended, { signal }));
        await queries.invalidateQueries({ queryKey: CONNECTIONS_KEY });
        onNotice(t('unlink.done', { provider }));
        onClose();
      }}
      onClose={onClose}
    />
  );
}

const WORKS = ['valid', 'expiring'];

export function ConnectionRow({
  connection,
  isOnlyWayIn,
  onNotice,
}: {
  readonly connection: OwnConnection;
  readonly isOnlyWayIn: boolean;
  readonly onNotice: (notice: string) => void;
}): ReactElement {
  const { provider, displayName, email, createdAt, token_status } = connection;
  const [isAsking, setAsking] = useState(false);
  const works = WORKS.includes(token_status);
  const name = nameOfProvider(provider);
  return (
    <li className="grid grid-cols-[1rem_minmax(0,1fr)] items-start gap-x-3 gap-y-1 p-3 rows:grid-cols-[1rem_minmax(0,1fr)_auto]">
      <span className="pt-0.5">
        <ProviderMark provider={provider} />
      </span>
      <div className="min-w-0">
        <p className="font-semibold">{name}</p>
        {displayName === null ? null : <bdi className="block">{displayName}</bdi>}
        {email === null ? null : <bdi className="block text-quiet">{shownAddress(email)}</bdi>}
        <p className="text-quiet">{t('connection.since', { day: shownDay(createdAt) })}</p>
        {works ? null : (
          <p className="flex items-start gap-2">
            <span className="pt-0.5">
              <StatusIcon tone="pending" />
            </span>
            {t('connection.over', { provider: name })}
          </p>
        )}
        {isOnlyWayIn ? <p>{t('connection.only')}</p> : null}
      </div>
      {isOnlyWayIn ? null : (
        <div className="col-start-2 rows:col-start-3">
          <RowAction about={name} isGrave onClick={() => setAsking(true)}>
            {t('unlink.open')}
          </RowAction>
        </div>
      )}
      {isAsking ? (
        <UnlinkDialog connection={connection} onNotice={onNotice} onClose={() => setAsking(false)} />
      ) : null}
    </li>
  );
}

/** Leads to a provider, and back with its profile. */
export function LinkButton({
  provider,
  isAnother,
}: {
  readonly provider: SocialProvider;
  /** Whether a profile of the provider is connected already. */
  readonly isAnother: boolean;
}): ReactElement {
  const mutation = useMutationState();
  return (
    <div className="flex flex-col gap-2">
      {mutation.failure === undefined ? null : <FailureNote failure={mutation.failure} />}
      <Button
        isBusy={mutation.isBusy}
        onClick={() =>
          mutation.send(async () => {
            await withReauth(() => startConnecting(gatehouse, provider));
            keepFlowAtProvider({ linking: '1', provider });
            // The browser is leaving this page, so nothing on it should look finished.
            await new Promise<never>(() => undefined);
          })
        }
      >
        <ProviderMark provider={provider} />
        {isAnother ? t('link.another', { provider: nameOfProvider(provider) }) : nameOfProvider(provider)}
      </Button>
    </div>
  );
}

/** Whether a connection is the member's only way to sign in, so that the service keeps it. */
export function useOnlyWayIn(connections: readonly OwnConnection[]): boolean {
  const { member } = useMe();
  const isAlone = member.email === null && connections.length === 1;
  const factors = useQuery({ ...factorsQuery, enabled: isAlone });
  return isAlone && (factors.data === undefined || factors.data.data.passkeys === 0);
}

export const ConnectionsScreen = inLanguage(Connections);

function Connections(): ReactElement {
  const me = useMe();
  return isReadOnly(me) ? <NotYours /> : <Own />;
}

function Own(): ReactElement {
  const list = usePages<OwnConnection>(CONNECTIONS_KEY, (page, signal) =>
    gatehouse.api.social.list.query(page, { signal }),
  );
  return (
    <QueryView answer={list} title={t('connections.title')}>
      {(connections) => <Listed connections={connections} list={list} />}
    </QueryView>
  );
}

/** The provider that the person comes back from. */
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
  return (
    <Screen title={t('connections.title')} lead={t('connections.lead')}>
      <Notice text={notice} onClose={setNotice} />
      <Card title={t('connections.sheet')}>
        {connections.length === 0 ? (
          <p className="p-3 text-quiet">{t('connections.none')}</p>
        ) : (
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
        )}
        <More of={list} />
      </Card>
      <Card title={t('link.title')}>
        {providers.length === 0 ? (
          <p className="p-3 text-quiet">{t('link.none')}</p>
        ) : (
          <div className="flex flex-col gap-4 p-3">
            <p>{t('link.lead')}</p>
            <ul className="flex flex-wrap gap-3">
              {providers.map((provider) => (
                <li key={provider}>
                  <LinkButton
                    provider={provider}
                    isAnother={connections.some((each) => each.provider === provider)}
                  />
                </li>
              ))}
            </ul>
          </div>
        )}
      </Card>
    </Screen>
  );
}
