import type { MainOutputs } from '@gatehouse/client-sdk';
import { useMutationState } from '@gatehouse/ui/failure/use-mutation-state';
import { Confirm } from '@gatehouse/ui/form/confirm';
import { FailureNote, Form } from '@gatehouse/ui/form/form';
import { TextField } from '@gatehouse/ui/form/text-field';
import { deviceName } from '@gatehouse/ui/list/device-name';
import { More, RowAction, usePages } from '@gatehouse/ui/list/paged-list';
import { Banner } from '@gatehouse/ui/parts/banner';
import { Button } from '@gatehouse/ui/parts/button';
import { Card } from '@gatehouse/ui/parts/card';
import { Dialog } from '@gatehouse/ui/parts/dialog';
import { StatusIcon } from '@gatehouse/ui/parts/icons';
import { QueryView } from '@gatehouse/ui/screen/asked';
import { inLanguage, Screen } from '@gatehouse/ui/screen/screen';
import { shownTime } from '@gatehouse/ui/screen/shown-time';
import { useQueryClient } from '@tanstack/react-query';
import { type ReactElement, useState } from 'react';
import { gatehouse } from '../../../client.js';
import { isReadOnly, useMe } from '../../session/me.js';
import { t } from './words.js';

export type OwnSession = MainOutputs['session']['list']['data'][number];

export const SESSIONS_KEY = ['you', 'sessions'] as const;

/** What a session is called: by its member, else after the device. */
export function nameOf({ deviceName: given, device, kind }: OwnSession): string {
  if (given !== null) return given;
  return kind === 'bearer' ? t('session.program') : deviceName(device);
}

/** Ends every session but this one. */
export function EndOthersDialog({
  count,
  onNotice,
  onClose,
}: {
  /** How many there are; undefined where more are listed than were read. */
  readonly count: number | undefined;
  readonly onNotice: (notice: string) => void;
  readonly onClose: () => void;
}): ReactElement {
  const queries = useQueryClient();
  const mutation = useMutationState();
  return (
    <Confirm
      title={t('others.title')}
      effect={count === undefined ? t('others.effectMany') : t('others.effect', { count })}
      action={t('others.submit')}
      mutation={mutation}
      onConfirm={async (_fields, signal) => {
        await gatehouse.api.session.endMany.mutate({ others: true }, { signal });
        await queries.invalidateQueries({ queryKey: SESSIONS_KEY });
        onNotice(t('others.done'));
        onClose();
      }}
      onClose={onClose}
    />
  );
}

/** Names a session, so that its member knows the device again. */
export function RenameDialog({
  session,
  onClose,
}: {
  readonly session: OwnSession;
  readonly onClose: () => void;
}): ReactElement {
  const queries = useQueryClient();
  const mutation = useMutationState('name');
  return (
    <Dialog title={t('rename.title')} onClose={onClose}>
      <Form
        mutation={mutation}
        onSend={async ({ name = '' }, signal) => {
          const named = { sessionId: session.id, name: name.trim() };
          await gatehouse.api.session.rename.mutate(named, { signal });
          await queries.invalidateQueries({ queryKey: SESSIONS_KEY });
          onClose();
        }}
      >
        <TextField
          name="name"
          label={t('rename.field')}
          hint={t('rename.hint')}
          defaultValue={nameOf(session)}
          autoComplete="off"
          required
        />
        <div className="flex flex-wrap gap-3">
          <Button type="submit" kind="primary" isBusy={mutation.isBusy}>
            {t('rename.submit')}
          </Button>
          <Button onClick={onClose}>{t('rename.cancel')}</Button>
        </div>
      </Form>
    </Dialog>
  );
}

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

export const SessionsScreen = inLanguage(Sessions);

function Sessions(): ReactElement {
  const list = usePages<OwnSession>(SESSIONS_KEY, (page, signal) =>
    gatehouse.api.session.list.query(page, { signal }),
  );
  return <QueryView answer={list}>{(sessions) => <Listed sessions={sessions} list={list} />}</QueryView>;
}

function Listed({
  sessions,
  list,
}: {
  readonly sessions: readonly OwnSession[];
  readonly list: Parameters<typeof More>[0]['of'];
}): ReactElement {
  const mayAct = !isReadOnly(useMe());
  const [isEndingOthers, setEndingOthers] = useState(false);
  const [notice, setNotice] = useState<string>();
  const others = sessions.filter(({ isCurrent }) => !isCurrent);
  const sorted = [...sessions.filter(({ isCurrent }) => isCurrent), ...others];
  const title = t(list.hasNextPage ? 'sessions.titleMany' : 'sessions.title', { count: sessions.length });
  return (
    <Screen
      title={title}
      lead={t('sessions.lead')}
      actions={
        mayAct && others.length > 0 ? (
          <Button kind="grave" onClick={() => setEndingOthers(true)}>
            {t('sessions.endOthers')}
          </Button>
        ) : undefined
      }
    >
      {notice === undefined ? null : <Banner tone="ok">{notice}</Banner>}
      <Card title={t('sessions.sheet')}>
        <ul className="divide-y divide-line">
          {sorted.map((session) => (
            <SessionRow key={session.id} session={session} mayAct={mayAct} onNotice={setNotice} />
          ))}
        </ul>
        <More of={list} />
      </Card>
      {isEndingOthers ? (
        <EndOthersDialog
          count={list.hasNextPage ? undefined : others.length}
          onNotice={setNotice}
          onClose={() => setEndingOthers(false)}
        />
      ) : null}
    </Screen>
  );
}
