import type { MainOutputs } from '@gatehouse/client-sdk';
import { useMutationState } from '@gatehouse/ui/failure/use-mutation-state';
import { Confirm } from '@gatehouse/ui/form/confirm';
import { More, usePages } from '@gatehouse/ui/list/paged-list';
import { Button } from '@gatehouse/ui/parts/button';
import { Card } from '@gatehouse/ui/parts/card';
import { Notice } from '@gatehouse/ui/parts/notice';
import { QueryView } from '@gatehouse/ui/screen/asked';
import { inLanguage, Screen } from '@gatehouse/ui/screen/screen';
import { SessionList } from '@gatehouse/ui/security/session-list';
import { t as ofSessions } from '@gatehouse/ui/security/words';
import { useQueryClient } from '@tanstack/react-query';
import { type ReactElement, useState } from 'react';
import { gatehouse } from '../../../client.js';
import { isReadOnly, useMe } from '../../session/me.js';
import { t } from './words.js';

type OwnSession = MainOutputs['session']['list']['data'][number];

const KEY = ['you', 'sessions'] as const;

/** Ends every session but this one. */
function EndOthersDialog({
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
        await queries.invalidateQueries({ queryKey: KEY });
        onNotice(ofSessions('sessions.othersEnded'));
        onClose();
      }}
      onClose={onClose}
    />
  );
}

export const SessionsScreen = inLanguage(Sessions);

function Sessions(): ReactElement {
  const list = usePages<OwnSession>(KEY, (page, signal) =>
    gatehouse.api.session.list.query(page, { signal }),
  );
  return (
    <QueryView answer={list} title={t('sessions.title')}>
      {(sessions) => <Listed sessions={sessions} list={list} />}
    </QueryView>
  );
}

function Listed({
  sessions,
  list,
}: {
  readonly sessions: readonly OwnSession[];
  readonly list: Parameters<typeof More>[0]['of'];
}): ReactElement {
  const mayAct = !isReadOnly(useMe());
  const queries = useQueryClient();
  const { session: api } = gatehouse.api;
  const [isEndingOthers, setEndingOthers] = useState(false);
  const [notice, setNotice] = useState<string>();
  const others = sessions.filter(({ isCurrent }) => !isCurrent);
  const sorted = [...sessions.filter(({ isCurrent }) => isCurrent), ...others];
  async function end(sessionId: number, signal: AbortSignal): Promise<void> {
    await api.endMany.mutate({ sessionId }, { signal });
    await queries.invalidateQueries({ queryKey: KEY });
  }
  async function rename(sessionId: number, name: string, signal: AbortSignal): Promise<void> {
    await api.rename.mutate({ sessionId, name }, { signal });
    await queries.invalidateQueries({ queryKey: KEY });
  }
  const count = t(list.hasNextPage ? 'sessions.countMany' : 'sessions.count', { count: sessions.length });
  return (
    <Screen
      title={t('sessions.title')}
      lead={`${count} ${t('sessions.lead')}`}
      actions={
        mayAct && others.length > 0 ? (
          <Button kind="grave" onClick={() => setEndingOthers(true)}>
            {ofSessions('sessions.endOthers')}
          </Button>
        ) : undefined
      }
    >
      <Notice text={notice} onClose={setNotice} />
      <Card title={ofSessions('sessions.mine')}>
        <SessionList
          sessions={sorted}
          {...(mayAct ? { onEnd: end, onRename: rename } : {})}
          onNotice={setNotice}
        />
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
