import { More } from '@gatehouse/ui/list/more';
import { usePages } from '@gatehouse/ui/list/use-pages';
import { Banner } from '@gatehouse/ui/parts/banner';
import { Button } from '@gatehouse/ui/parts/button';
import { Card } from '@gatehouse/ui/parts/card';
import { Asked } from '@gatehouse/ui/screen/asked';
import { inLanguage } from '@gatehouse/ui/screen/in-language';
import { Screen } from '@gatehouse/ui/screen/screen';
import { type ReactElement, useState } from 'react';
import { gatehouse } from '../../../client.js';
import { isReadOnly, useMe } from '../../session/me.js';
import { EndOthersDialog } from './end-others-dialog.js';
import { type OwnSession, SESSIONS_KEY } from './own-session.js';
import { SessionRow } from './session-row.js';
import { t } from './words.js';

export const SessionsScreen = inLanguage(Sessions);

function Sessions(): ReactElement {
  const list = usePages<OwnSession>(SESSIONS_KEY, (page, signal) =>
    gatehouse.api.session.list.query(page, { signal }),
  );
  return <Asked answer={list}>{(sessions) => <Listed sessions={sessions} list={list} />}</Asked>;
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
