import { RowAction } from '@gatehouse/ui/list/row-action';
import { StatusIcon } from '@gatehouse/ui/parts/status-icon';
import { shownAddress } from '@gatehouse/ui/screen/shown-address';
import { shownDay } from '@gatehouse/ui/screen/shown-time';
import { type ReactElement, useState } from 'react';
import { nameOfProvider } from '../../../signed-out/provider-names.js';
import type { OwnConnection } from './own-connection.js';
import { UnlinkDialog } from './unlink-dialog.js';
import { t } from './words.js';

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
        <StatusIcon tone={works ? 'ok' : 'pending'} />
      </span>
      <div className="min-w-0">
        <p className="font-semibold">{name}</p>
        {displayName === null ? null : <bdi className="block">{displayName}</bdi>}
        {email === null ? null : <bdi className="block text-quiet">{shownAddress(email)}</bdi>}
        <p className="text-quiet">{t('connection.since', { day: shownDay(createdAt) })}</p>
        {works ? null : <p>{t('connection.over', { provider: name })}</p>}
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
