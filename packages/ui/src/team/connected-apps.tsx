import type { MainOutputs } from '@gatehouse/client-sdk';
import type { ReactElement, ReactNode } from 'react';
import { More, type usePages } from '../list/paged-list.js';
import { Card } from '../parts/card.js';
import { shownAgo, shownDay } from '../screen/shown-time.js';
import { aboutScope } from './scope-words.js';
import { t } from './words.js';

export type ConnectedApp = MainOutputs['consent']['listInAccount']['data'][number];

/** The applications that act for members. There is no card without any. */
export function ConnectedApps({
  apps,
  lead,
  whereOf,
  actionOf,
}: {
  readonly apps: ReturnType<typeof usePages<ConnectedApp>>;
  readonly lead?: string;
  /** For whom or in which account an application acts. */
  readonly whereOf: (app: ConnectedApp) => ReactNode;
  readonly actionOf?: (app: ConnectedApp) => ReactNode;
}): ReactElement | null {
  const rows = apps.data ?? [];
  if (rows.length === 0) return null;
  return (
    <Card title={t('connected.title')}>
      {lead === undefined ? null : <p className="px-3 pt-3 text-quiet">{lead}</p>}
      <ul className="divide-y divide-line">
        {rows.map((app) => (
          <li key={app.id} className="flex flex-wrap items-start gap-x-3 gap-y-1 p-3">
            <div className="min-w-0 flex-1 basis-40 wrap-anywhere">
              <bdi className="font-semibold">{app.name}</bdi>
              <p>{whereOf(app)}</p>
              <p className="text-quiet">{about(app)}</p>
            </div>
            {actionOf?.(app)}
          </li>
        ))}
      </ul>
      <More of={apps} />
    </Card>
  );
}

/** Where an application comes from, what it may do, since when, and when it was last active. */
function about({ host, api, scopes, createdAt, lastUsedAt }: ConnectedApp): string {
  const may = scopes.filter((scope) => !ABOUT_MEMBERS.has(scope)).map(scopeWords);
  return [
    ...(host === null ? [] : [host]),
    ...(api === null ? [] : [`${api.name} (${api.origin})`]),
    ...(may.length === 0 ? [t('connected.identity')] : may),
    t('connected.since', { day: shownDay(createdAt) }),
    ...(lastUsedAt === null ? [] : [t('connected.used', { when: shownAgo(lastUsedAt) })]),
  ].join(' · ');
}

const ABOUT_MEMBERS: ReadonlySet<string> = new Set([
  'openid',
  'profile',
  'email',
  'accounts',
  'account',
  'offline_access',
]);

function scopeWords(scope: string): string {
  if (scope === 'read') return t('connected.read');
  return scope === 'manage' ? t('connected.manage') : (aboutScope(scope) ?? scope);
}
