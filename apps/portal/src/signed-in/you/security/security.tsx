import { Banner } from '@gatehouse/ui/parts/banner';
import { Button } from '@gatehouse/ui/parts/button';
import { Asked } from '@gatehouse/ui/screen/asked';
import { inLanguage } from '@gatehouse/ui/screen/in-language';
import { Screen } from '@gatehouse/ui/screen/screen';
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
import type { Asking, Remedy } from './remedy.js';
import { isRecovering, standingOf } from './standing.js';
import { TwoStepsSheet } from './two-steps-sheet.js';
import type { Done } from './use-done.js';
import { t } from './words.js';

export const SecurityScreen = inLanguage(Security);

function Security(): ReactElement {
  return isReadOnly(useMe()) ? <NotYours /> : <Own />;
}

function Own(): ReactElement {
  const factors = useQuery(factorsQuery);
  return <Asked answer={factors}>{({ data }) => <Parts factors={data} />}</Asked>;
}

const REMEDIES = {
  codes: 'codes.make',
  passkey: 'passkeys.add',
  password: 'password.change',
  recovery: 'recovery.cancel',
  twoSteps: 'steps.switchOn',
} as const;

function Parts({ factors }: { readonly factors: Factors }): ReactElement {
  const me = useMe();
  const { passkeys } = useSettings();
  const [done, setDone] = useState<Done>();
  const [asked, setAsked] = useState<Remedy>();
  const isOnlyAdding = isRecovering(me, factors);
  const parts = { factors, isOnlyAdding, onDone: setDone };
  const { remedy: wanted, ...standing } = standingOf(me, factors);
  const hasPasskeys = passkeys && 'PublicKeyCredential' in globalThis;
  const remedy = wanted === 'passkey' && !hasPasskeys ? undefined : wanted;
  const asking = (what: Remedy): Asking => ({
    isAsking: asked === what,
    isBesideVerdict: remedy === what,
    ask: (isAsking) => setAsked(isAsking ? what : undefined),
  });
  return (
    <Screen
      {...standing}
      actions={
        remedy === undefined ? undefined : (
          <Button kind={remedy === 'recovery' ? 'grave' : 'primary'} onClick={() => setAsked(remedy)}>
            {t(REMEDIES[remedy])}
          </Button>
        )
      }
    >
      {done === undefined ? null : <Banner state="open">{done.notice}</Banner>}
      {factors.recovery === null || isOnlyAdding ? null : (
        <RecoverySheet recovery={factors.recovery} asking={asking('recovery')} onDone={setDone} />
      )}
      {isOnlyAdding ? null : <TwoStepsSheet {...parts} asking={asking('twoSteps')} />}
      {passkeys ? <PasskeysSheet {...parts} asking={asking('passkey')} /> : null}
      <AppSheet {...parts} />
      {isOnlyAdding ? null : <BackupCodesSheet {...parts} asking={asking('codes')} />}
      {me.requires === null ? (
        <>
          <PasswordSheet asking={asking('password')} onDone={setDone} />
          <EventsSheet />
        </>
      ) : null}
      {done?.backupCodes === undefined ? null : (
        <BackupCodesDialog codes={done.backupCodes} onClose={() => setDone({ notice: done.notice })} />
      )}
    </Screen>
  );
}
