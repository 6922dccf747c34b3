import { Asked } from '@gatehouse/screens/screen/asked';
import { inLanguage } from '@gatehouse/screens/screen/in-language';
import { Screen } from '@gatehouse/screens/screen/screen';
import { Banner } from '@gatehouse/ui/parts/banner';
import { useQuery } from '@tanstack/react-query';
import { type ReactElement, useState } from 'react';
import { useSettings } from '../../../signed-out/use-settings.js';
import { isReadOnly, useMe } from '../../session/me.js';
import { NotYours } from '../not-yours.js';
import { AppSheet } from './app-sheet.js';
import { BackupCodesDialog } from './backup-codes-dialog.js';
import { BackupCodesSheet } from './backup-codes-sheet.js';
import { EventsSheet } from './events-sheet.js';
import { type Factors, factorsQuery } from './factors.js';
import { PasskeysSheet } from './passkeys-sheet.js';
import { PasswordSheet } from './password-sheet.js';
import { RecoverySheet } from './recovery-sheet.js';
import { isRecovering, standingOf } from './standing.js';
import { TwoStepsSheet } from './two-steps-sheet.js';
import type { Done } from './use-done.js';

export const SecurityScreen = inLanguage(Security);

function Security(): ReactElement {
  return isReadOnly(useMe()) ? <NotYours /> : <Own />;
}

function Own(): ReactElement {
  const factors = useQuery(factorsQuery);
  return <Asked answer={factors}>{({ data }) => <Parts factors={data} />}</Asked>;
}

function Parts({ factors }: { readonly factors: Factors }): ReactElement {
  const me = useMe();
  const { passkeys } = useSettings();
  const [done, setDone] = useState<Done>();
  const isOnlyAdding = isRecovering(me, factors);
  const parts = { factors, isOnlyAdding, onDone: setDone };
  return (
    <Screen {...standingOf(me, factors)}>
      {done === undefined ? null : <Banner state="open">{done.notice}</Banner>}
      {factors.recovery === null || isOnlyAdding ? null : (
        <RecoverySheet recovery={factors.recovery} onDone={setDone} />
      )}
      {isOnlyAdding ? null : <TwoStepsSheet {...parts} />}
      {passkeys ? <PasskeysSheet {...parts} /> : null}
      <AppSheet {...parts} />
      {isOnlyAdding ? null : <BackupCodesSheet {...parts} />}
      {me.requires === null ? (
        <>
          <PasswordSheet onDone={setDone} />
          <EventsSheet />
        </>
      ) : null}
      {done?.backupCodes === undefined ? null : (
        <BackupCodesDialog codes={done.backupCodes} onClose={() => setDone({ notice: done.notice })} />
      )}
    </Screen>
  );
}
