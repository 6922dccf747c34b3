import { useMutationState } from '@gatehouse/ui/failure/use-mutation-state';
import { FailureNote } from '@gatehouse/ui/form/failure-note';
import { deviceName } from '@gatehouse/ui/list/device-name';
import { RowAction } from '@gatehouse/ui/list/row-action';
import { StatusIcon } from '@gatehouse/ui/parts/status-icon';
import { shownTime } from '@gatehouse/ui/screen/shown-time';
import { useQueryClient } from '@tanstack/react-query';
import { type ReactElement, useState } from 'react';
import { gatehouse } from '../../../client.js';
import { nameOf, type OwnSession, SESSIONS_KEY } from './own-session.js';
import { RenameDialog } from './rename-dialog.js';
import { t } from './words.js';

export function SessionRow({
  session,
  mayAct,
  onNotice,
}: {
  readonly session: OwnSession;
  readonly mayAct: boolean;
  readonly onNotice: (notice: string) => void;
}): ReactElement {
  const { id, isCurrent, address, authTime, createdAt, lastSeenAt, deviceName: given, device } = session;
  const queries = useQueryClient();
  const mutation = useMutationState();
  const [isRenaming, setRenaming] = useState(false);
  const name = nameOf(session);
  return (
    <li className="grid grid-cols-[1rem_minmax(0,1fr)] items-start gap-x-3 gap-y-1 p-3 rows:grid-cols-[1rem_minmax(0,1fr)_auto]">
      <span className="pt-0.5">
        <StatusIcon tone="ok" />
      </span>
      <div className="min-w-0">
        <p>
          <bdi className="font-semibold">{name}</bdi>
          {isCurrent ? <span className="text-moss"> {t('session.current')}</span> : null}
        </p>
        {given === null ? null : <p className="text-quiet">{deviceName(device)}</p>}
        <p className="text-quiet wrap-anywhere">
          {t('session.from')} <bdi>{address}</bdi>
        </p>
        <p className="text-quiet">
          {t('session.times', { since: shownTime(authTime ?? createdAt), seen: shownTime(lastSeenAt) })}
        </p>
      </div>
      {mayAct ? (
        <div className="col-start-2 flex flex-wrap gap-x-4 rows:col-start-3 rows:justify-end">
          <RowAction about={name} onClick={() => setRenaming(true)}>
            {t('session.rename')}
          </RowAction>
          {isCurrent ? null : (
            <RowAction
              about={name}
              isGrave
              isBusy={mutation.isBusy}
              onClick={() =>
                mutation.send(async (signal) => {
                  await gatehouse.api.session.endMany.mutate({ sessionId: id }, { signal });
                  await queries.invalidateQueries({ queryKey: SESSIONS_KEY });
                  onNotice(t('session.ended', { name }));
                })
              }
            >
              {t('session.end')}
            </RowAction>
          )}
        </div>
      ) : null}
      {mutation.failure === undefined ? null : (
        <div className="col-span-full">
          <FailureNote failure={mutation.failure} />
        </div>
      )}
      {isRenaming ? <RenameDialog session={session} onClose={() => setRenaming(false)} /> : null}
    </li>
  );
}
