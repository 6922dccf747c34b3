import type { AdminOutputs } from '@gatehouse/client-sdk/admin';
import { Badge } from '@gatehouse/ui/parts/badge';
import { Card } from '@gatehouse/ui/parts/card';
import type { StatusTone } from '@gatehouse/ui/parts/icons';
import { QueryView } from '@gatehouse/ui/screen/asked';
import { shownDay } from '@gatehouse/ui/screen/shown-time';
import { useQuery } from '@tanstack/react-query';
import type { ReactElement } from 'react';
import { gatehouse } from '../client.js';
import { mayAsStaff, useMe } from '../session/me.js';
import { endOf, KINDS, stateOf } from './connection-words.js';
import { t } from './words.js';

type AccountSso = AdminOutputs['platformSso']['detail']['data'];

/** The single sign-on of an account, for staff who may see connections. Most accounts have none. */
export function AccountSsoCard({ accountId }: { readonly accountId: number }): ReactElement | null {
  return mayAsStaff(useMe(), 'platformSso.manage') ? <Asked accountId={accountId} /> : null;
}

function Asked({ accountId }: { readonly accountId: number }): ReactElement | null {
  const answer = useQuery({
    queryKey: ['single-sign-on', 'account', accountId],
    queryFn: async ({ signal }) =>
      (await gatehouse.api.platformSso.detail.query({ accountId }, { signal })).data,
  });
  if (answer.data?.connections.length === 0 && answer.data.domains.length === 0) return null;
  return (
    <Card title={t('sso.title')}>
      <QueryView answer={answer} isPart>
        {(sso) => <Shown sso={sso} />}
      </QueryView>
    </Card>
  );
}

function Shown({
  sso: { connections, domains, required, exempt },
}: {
  readonly sso: AccountSso;
}): ReactElement {
  return (
    <>
      <p className="p-3">
        {t(required ? 'sso.required' : 'sso.optional')}{' '}
        {required ? <span className="text-quiet">{t('sso.exempt', { count: exempt.length })}</span> : null}
      </p>
      <ul className="divide-y divide-line border-t border-line empty:hidden">
        {connections.map((connection) => (
          <Connection key={connection.id} connection={connection} />
        ))}
      </ul>
      {domains.length === 0 ? null : (
        <ul aria-label={t('sso.domains')} className="divide-y divide-line border-t border-line">
          {domains.map((domain) => (
            <Domain key={domain.id} domain={domain} />
          ))}
        </ul>
      )}
    </>
  );
}

function Connection({
  connection,
}: {
  readonly connection: AccountSso['connections'][number];
}): ReactElement {
  const { name, kind, oidc, saml } = connection;
  const { tone, words } = stateOf(connection);
  const lastEnd = saml?.certificatesEndAt.toSorted().at(-1);
  return (
    <li className="p-3 wrap-anywhere">
      <bdi className="font-semibold">{name}</bdi>
      <p className="text-note text-quiet">
        <Badge tone={tone}>{words}</Badge> · {KINDS[kind]}
      </p>
      <bdi className="text-note text-quiet">{oidc?.issuer ?? saml?.entityId}</bdi>
      {lastEnd === undefined ? null : <p className="text-note text-quiet">{endOf(lastEnd)}</p>}
      {saml?.metadataProblem ? (
        <p className="text-note text-brick">{t('sso.metadata', { problem: saml.metadataProblem })}</p>
      ) : null}
    </li>
  );
}

const TONES = { pending: 'pending', verified: 'ok', lapsed: 'error' } as const satisfies Readonly<
  Record<AccountSso['domains'][number]['state'], StatusTone>
>;

function Domain({
  domain: { domain, state, verifiedAt },
}: {
  readonly domain: AccountSso['domains'][number];
}): ReactElement {
  const words =
    state === 'verified' && verifiedAt !== null
      ? t('sso.domainVerified', { day: shownDay(verifiedAt) })
      : t(state === 'lapsed' ? 'sso.domainLapsed' : 'sso.domainPending');
  return (
    <li className="p-3 wrap-anywhere">
      <bdi className="font-semibold">{domain}</bdi>
      <p className="text-note">
        <Badge tone={TONES[state]}>{words}</Badge>
      </p>
    </li>
  );
}
