import type { MainOutputs } from '@gatehouse/client-sdk';
import { useMutationState } from '@gatehouse/ui/failure/use-mutation-state';
import { Confirm } from '@gatehouse/ui/form/confirm';
import { More, RowAction, usePages } from '@gatehouse/ui/list/paged-list';
import { Card } from '@gatehouse/ui/parts/card';
import { shownAgo, shownDay } from '@gatehouse/ui/screen/shown-time';
import { aboutScope } from '@gatehouse/ui/team/scope-words';
import { useQueryClient } from '@tanstack/react-query';
import { type ReactElement, useState } from 'react';
import { gatehouse } from '../../../client.js';
import type { Done } from './security-status.js';
import { t } from './words.js';

type ConnectedApp = MainOutputs['consent']['applications']['data'][number];

const KEY = ['you', 'applications'] as const;

/** The applications that the member has admitted. Without any, there is no card. */
export function ConnectedAppsCard({
  onDone,
}: {
  readonly onDone: (done: Done) => void;
}): ReactElement | null {
  const apps = usePages(KEY, (page, signal) => gatehouse.api.consent.applications.query(page, { signal }));
  const rows = apps.data ?? [];
  if (rows.length === 0) return null;
  return (
    <Card title={t('apps.title')}>
      <p className="px-3 pt-3 text-quiet">{t('apps.lead')}</p>
      <ul className="divide-y divide-line">
        {rows.map((app) => (
          <Row key={app.id} app={app} onDone={onDone} />
        ))}
      </ul>
      <More of={apps} />
    </Card>
  );
}

const SEEN = {
  profile: 'apps.profile',
  email: 'apps.email',
  accounts: 'apps.organizations',
  account: 'apps.organization',
} as const;

/** What an application learns, in words. */
function seenBy({ scopes }: ConnectedApp): string {
  const seen = Object.entries(SEEN).flatMap(([scope, words]) => (scopes.includes(scope) ? [t(words)] : []));
  return [t('apps.identity'), ...seen].join(' · ');
}

const OTHER_SCOPES: ReadonlySet<string> = new Set([...Object.keys(SEEN), 'openid', 'offline_access']);

/** What an application may do in an organization, in words; undefined for one that does nothing there. */
function doneBy({ scopes, inAccountName, api }: ConnectedApp): string | undefined {
  const may = scopes.filter((scope) => !OTHER_SCOPES.has(scope));
  if (may.length === 0) return undefined;
  const words = may.map((scope) => {
    if (scope === 'read') return t('apps.read');
    return scope === 'manage' ? t('apps.manage') : (aboutScope(scope) ?? scope);
  });
  const at = api === null ? '' : ` · ${api.name} (${api.origin})`;
  return `${inAccountName ?? t('apps.organization')}${at}: ${words.join(' · ')}`;
}

function Row({
  app,
  onDone,
}: {
  readonly app: ConnectedApp;
  readonly onDone: (done: Done) => void;
}): ReactElement {
  const { id, name, host, createdAt, lastUsedAt, scopes } = app;
  const done = doneBy(app);
  const queries = useQueryClient();
  const mutation = useMutationState();
  const [isAsking, setIsAsking] = useState(false);
  return (
    <li className="flex flex-wrap items-start gap-x-3 gap-y-1 p-3">
      <div className="min-w-0 flex-1 basis-40">
        <bdi className="font-semibold">{name}</bdi>
        {host === null ? null : <p className="text-quiet wrap-anywhere">{host}</p>}
        <p className="text-quiet">{seenBy(app)}</p>
        {done === undefined ? null : <p className="text-quiet wrap-anywhere">{done}</p>}
        <p className="text-quiet">
          {t(scopes.includes('offline_access') ? 'apps.lasting' : 'apps.since', { day: shownDay(createdAt) })}
          {lastUsedAt === null ? null : ` ${t('apps.used', { when: shownAgo(lastUsedAt) })}`}
        </p>
      </div>
      <RowAction about={name} isGrave onClick={() => setIsAsking(true)}>
        {t('apps.remove')}
      </RowAction>
      {isAsking ? (
        <Confirm
          title={t('apps.question', { name })}
          effect={t('apps.effect', { name })}
          action={t('apps.submit')}
          mutation={mutation}
          onConfirm={async (_fields, signal) => {
            await gatehouse.api.consent.withdraw.mutate({ consentId: id }, { signal });
            await queries.invalidateQueries({ queryKey: KEY });
            onDone({ notice: t('apps.removed', { name }) });
          }}
          onClose={() => setIsAsking(false)}
        />
      ) : null}
    </li>
  );
}
