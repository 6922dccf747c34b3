import { type ReactElement, useState } from 'react';
import { useMutationState } from '../failure/use-mutation-state.js';
import { Confirm } from '../form/confirm.js';
import { FailureNote } from '../form/form.js';
import { TextField } from '../form/text-field.js';
import { deviceName } from '../list/device-name.js';
import { RowAction } from '../list/paged-list.js';
import { Badge } from '../parts/badge.js';
import { rich } from '../parts/rich.js';
import { Ago } from '../screen/ago.js';
import { t } from './words.js';

/** A session as the services list it. */
export interface ListedSession {
  readonly id: number;
  readonly kind: string;
  readonly isCurrent: boolean;
  readonly address: string;
  readonly device: string | null;
  /** The name that its member gave it. */
  readonly deviceName: string | null;
  readonly createdAt: string;
  readonly authTime: string | null;
  readonly lastSeenAt: string;
  /** How it was authenticated. */
  readonly methods: readonly string[];
}

/** The name of a session: given by its member, else of the device. */
export function sessionName({ deviceName: given, device, kind }: ListedSession): string {
  if (given !== null) return given;
  return kind === 'bearer' ? t('session.program') : deviceName(device);
}

type End = (sessionId: number, signal: AbortSignal) => Promise<unknown>;
type Rename = (sessionId: number, name: string, signal: AbortSignal) => Promise<unknown>;

/** Sessions, each with what may be done about it. The current one is ended by signing out. */
export function SessionList({
  sessions,
  onEnd,
  onRename,
  onNotice,
}: {
  readonly sessions: readonly ListedSession[];
  /** Absent if the viewer may end no session. */
  readonly onEnd?: End | undefined;
  readonly onRename?: Rename | undefined;
  readonly onNotice: (notice: string | undefined) => void;
}): ReactElement {
  return (
    <ul className="divide-y divide-line">
      {sessions.map((session) => (
        <Row
          key={session.id}
          session={session}
          onEnd={session.isCurrent ? undefined : onEnd}
          onRename={onRename}
          onNotice={onNotice}
        />
      ))}
    </ul>
  );
}

function Row({
  session,
  onEnd,
  onRename,
  onNotice,
}: {
  readonly session: ListedSession;
  readonly onEnd: End | undefined;
  readonly onRename: Rename | undefined;
  readonly onNotice: (notice: string | undefined) => void;
}): ReactElement {
  const { id, isCurrent, address, authTime, createdAt, lastSeenAt, deviceName: given, device } = session;
  const mutation = useMutationState();
  const [isRenaming, setRenaming] = useState(false);
  const name = sessionName(session);
  return (
    <li className="grid items-start gap-x-3 gap-y-1 p-3 rows:grid-cols-[minmax(0,1fr)_auto]">
      <div className="min-w-0 wrap-anywhere">
        <p className="flex flex-wrap items-baseline gap-x-2 gap-y-1">
          <bdi className="font-semibold">{name}</bdi>
          {isCurrent ? <Badge tone="ok">{t('session.current')}</Badge> : null}
        </p>
        {given === null ? null : <p className="text-quiet">{deviceName(device)}</p>}
        {session.methods.includes('fed') ? <p className="text-quiet">{t('session.bySso')}</p> : null}
        <p className="text-quiet">
          {rich(t('session.times'), {
            since: () => <Ago at={authTime ?? createdAt} />,
            seen: () => <Ago at={lastSeenAt} />,
          })}
        </p>
        <p className="text-quiet">
          <bdi className="font-mono">{address}</bdi>
        </p>
      </div>
      <div className="flex flex-wrap gap-x-4 empty:hidden rows:justify-end">
        {onRename === undefined ? null : (
          <RowAction about={name} onClick={() => setRenaming(true)}>
            {t('session.rename')}
          </RowAction>
        )}
        {onEnd === undefined ? null : (
          <RowAction
            about={name}
            isGrave
            isBusy={mutation.isBusy}
            onClick={() => {
              onNotice(undefined);
              mutation.send(async (signal) => {
                await onEnd(id, signal);
                onNotice(t('session.ended', { name }));
              });
            }}
          >
            {t('session.end')}
          </RowAction>
        )}
      </div>
      {mutation.failure === undefined ? null : (
        <div className="col-span-full">
          <FailureNote failure={mutation.failure} />
        </div>
      )}
      {isRenaming && onRename !== undefined ? (
        <RenameDialog session={session} onRename={onRename} onClose={() => setRenaming(false)} />
      ) : null}
    </li>
  );
}

/** Names a session, so that its member knows the device again. */
function RenameDialog({
  session,
  onRename,
  onClose,
}: {
  readonly session: ListedSession;
  readonly onRename: Rename;
  readonly onClose: () => void;
}): ReactElement {
  const mutation = useMutationState('name');
  return (
    <Confirm
      title={t('rename.title')}
      effect={t('rename.effect')}
      action={t('rename.submit')}
      isGrave={false}
      mutation={mutation}
      onConfirm={async ({ name = '' }, signal) => {
        await onRename(session.id, name.trim(), signal);
        onClose();
      }}
      onClose={onClose}
    >
      <TextField
        name="name"
        label={t('rename.field')}
        hint={t('rename.hint')}
        defaultValue={sessionName(session)}
        autoComplete="off"
        required
      />
    </Confirm>
  );
}
