import { useMutationState } from '@gatehouse/ui/failure/use-mutation-state';
import { FailureNote } from '@gatehouse/ui/form/form';
import { Badge } from '@gatehouse/ui/parts/badge';
import { Button } from '@gatehouse/ui/parts/button';
import { Card } from '@gatehouse/ui/parts/card';
import { Menu } from '@gatehouse/ui/parts/menu';
import { Notice } from '@gatehouse/ui/parts/notice';
import { Denied, QueryView } from '@gatehouse/ui/screen/asked';
import { inLanguage, Screen } from '@gatehouse/ui/screen/screen';
import { leaveTo } from '@gatehouse/ui/session/leave-to';
import { withReauth } from '@gatehouse/ui/session/with-reauth';
import { useQuery } from '@tanstack/react-query';
import { getRouteApi } from '@tanstack/react-router';
import { type ReactElement, useState } from 'react';
import { gatehouse } from '../client.js';
import { mayAsStaff, useMe } from '../session/me.js';
import { endOf, KINDS, stateOf } from './connection-words.js';
import {
  ActivateDialog,
  DeactivateDialog,
  RemoveDialog,
  SaveDialog,
  STAFF_SSO_KEY,
  type StaffConnection,
} from './staff-connection-dialogs.js';
import { StaffTest } from './staff-test.js';
import { t } from './words.js';

export const StaffConnectionsScreen = inLanguage(StaffConnections);

const route = getRouteApi('/frame/single-sign-on/staff');

/** The identity providers through which staff sign in to the console. */
function StaffConnections(): ReactElement {
  return mayAsStaff(useMe(), 'platformSso.manage') ? <Found /> : <Denied />;
}

function Found(): ReactElement {
  const { test } = route.useSearch();
  const answer = useQuery({
    queryKey: STAFF_SSO_KEY,
    queryFn: ({ signal }) => gatehouse.api.staffSso.list.query(undefined, { signal }),
  });
  const [notice, setNotice] = useState<string>();
  const [isAdding, setAdding] = useState(false);
  return (
    <QueryView answer={answer} title={t('staffSso.title')}>
      {({ data: { connections, next } }) => (
        <Screen
          title={t('staffSso.title')}
          lead={t('staffSso.lead')}
          actions={
            next === null ? undefined : (
              <Button kind="primary" onClick={() => setAdding(true)}>
                {t('staffSso.add')}
              </Button>
            )
          }
        >
          <Notice text={notice} onClose={setNotice} />
          {test === undefined ? null : <StaffTest key={test} testId={test} />}
          <Card title={t('staffSso.list')}>
            {connections.length === 0 ? (
              <p className="max-w-prose p-3">{t('staffSso.none')}</p>
            ) : (
              <ul className="divide-y divide-line">
                {connections.map((connection) => (
                  <Connection key={connection.id} connection={connection} onNotice={setNotice} />
                ))}
              </ul>
            )}
          </Card>
          {isAdding && next !== null ? (
            <SaveDialog next={next} onNotice={setNotice} onClose={() => setAdding(false)} />
          ) : null}
        </Screen>
      )}
    </QueryView>
  );
}

function Connection({
  connection,
  onNotice,
}: {
  readonly connection: StaffConnection;
  readonly onNotice: (notice: string) => void;
}): ReactElement {
  const { id: connectionId, name, kind, active, hasChanges, tested, domains, oidc, saml } = connection;
  const [asking, setAsking] = useState<'edit' | 'activate' | 'deactivate' | 'remove'>();
  const mutation = useMutationState();
  const { tone, words } = stateOf(connection);
  const mayActivate = tested && (!active || hasChanges);
  const lastEnd = saml?.certificatesEndAt.toSorted().at(-1);
  const dialog = { connection, onNotice, onClose: () => setAsking(undefined) };

  async function test(signal: AbortSignal): Promise<void> {
    const { data } = await withReauth(() => gatehouse.api.staffSso.test.mutate({ connectionId }, { signal }));
    await leaveTo(data.url);
  }

  return (
    <li className="grid grid-cols-[minmax(0,1fr)_auto] items-start gap-x-3 p-3">
      <div className="flex min-w-0 flex-col items-start gap-1 wrap-anywhere">
        <bdi className="font-semibold">{name}</bdi>
        <p className="text-note text-quiet">
          <Badge tone={tone}>{words}</Badge> · {KINDS[kind]} ·{' '}
          {t(tested ? 'staffSso.tested' : 'staffSso.untested')}
        </p>
        <bdi className="text-note text-quiet">{oidc?.issuer ?? saml?.entityId}</bdi>
        <p className="text-note text-quiet">{t('staffSso.domainsOf', { domains: domains.join(', ') })}</p>
        {lastEnd === undefined ? null : <p className="text-note text-quiet">{endOf(lastEnd)}</p>}
        {saml?.metadataProblem ? (
          <p className="text-note text-brick">{t('sso.metadata', { problem: saml.metadataProblem })}</p>
        ) : null}
        <div className="flex flex-wrap gap-2 pt-2">
          {mayActivate ? (
            <Button kind="primary" onClick={() => setAsking('activate')}>
              {t('staffSso.activate')}
            </Button>
          ) : null}
          <Button isBusy={mutation.isBusy} onClick={() => mutation.send(test)}>
            {t('staffSso.test')}
          </Button>
        </div>
        {mutation.failure === undefined ? null : <FailureNote failure={mutation.failure} />}
      </div>
      <Menu
        isRow
        label={t('staffSso.actions', { name })}
        about={name}
        items={[
          { words: t('staffSso.edit'), onClick: () => setAsking('edit') },
          ...(active ? [{ words: t('staffSso.deactivate'), onClick: () => setAsking('deactivate') }] : []),
          { words: t('staffSso.remove'), isGrave: true, onClick: () => setAsking('remove') },
        ]}
      />
      {asking === 'edit' ? <SaveDialog {...dialog} /> : null}
      {asking === 'activate' ? <ActivateDialog {...dialog} /> : null}
      {asking === 'deactivate' ? <DeactivateDialog {...dialog} /> : null}
      {asking === 'remove' ? <RemoveDialog {...dialog} /> : null}
    </li>
  );
}
