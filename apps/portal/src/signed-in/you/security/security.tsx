import { Banner } from '@gatehouse/ui/parts/banner';
import { Button } from '@gatehouse/ui/parts/button';
import { Columns } from '@gatehouse/ui/parts/card';
import { Notice } from '@gatehouse/ui/parts/notice';
import { StatusNote } from '@gatehouse/ui/parts/status-note';
import { QueryView } from '@gatehouse/ui/screen/asked';
import { inLanguage, Screen } from '@gatehouse/ui/screen/screen';
import { useQuery } from '@tanstack/react-query';
import { type ReactElement, useState } from 'react';
import { useSettings } from '../../../signed-out/settings.js';
import { NotYours } from '../../screen/not-yours.js';
import { isReadOnly, useMe } from '../../session/me.js';
import { AppCard } from './app-card.js';
import { BackupCodesCard, BackupCodesDialog } from './backup-codes-card.js';
import { ConnectedAppsCard } from './connected-apps-card.js';
import { EventsCard } from './events-card.js';
import { PasskeysCard, passkeysQuery } from './passkeys-card.js';
import { PasswordCard } from './password-card.js';
import { RecoveryCard } from './recovery-card.js';
import type { Asking, Done, Remedy } from './security-status.js';
import { type Factors, factorsQuery, isRecovering, statusOf } from './security-status.js';
import { TwoStepsCard } from './two-steps-card.js';
import { t } from './words.js';

export const SecurityScreen = inLanguage(Security);

function Security(): ReactElement {
  return isReadOnly(useMe()) ? <NotYours /> : <Own />;
}

function Own(): ReactElement {
  const factors = useQuery(factorsQuery);
  const { passkeys: hasPasskeys } = useSettings();
  // Loaded with the factors, so that the cards below do not move when it arrives.
  const passkeys = useQuery({ ...passkeysQuery, enabled: hasPasskeys });
  const answer = passkeys.isLoading ? { ...factors, data: undefined } : factors;
  return (
    <QueryView answer={answer} title={t('security.title')}>
      {({ data }) => <Parts factors={data} />}
    </QueryView>
  );
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
  const { remedy: wanted, tone, title, lead } = statusOf(me, factors);
  const hasPasskeys = passkeys && 'PublicKeyCredential' in globalThis;
  const remedy = wanted === 'passkey' && !hasPasskeys ? undefined : wanted;
  const asking = (what: Remedy): Asking => ({
    isAsking: asked === what,
    isInHeader: remedy === what,
    ask: (isAsking) => setAsked(isAsking ? what : undefined),
  });
  return (
    <Screen title={t('security.title')}>
      <StatusNote
        tone={tone}
        title={title}
        actions={
          remedy === undefined ? undefined : (
            <Button kind={remedy === 'recovery' ? 'grave' : 'primary'} onClick={() => setAsked(remedy)}>
              {t(REMEDIES[remedy])}
            </Button>
          )
        }
      >
        <p>{lead}</p>
      </StatusNote>
      {done?.backupCodes === undefined ? (
        <Notice text={done?.notice} onClose={setDone} />
      ) : (
        <Banner tone="ok">{done.notice}</Banner>
      )}
      {factors.recovery === null || isOnlyAdding ? null : (
        <RecoveryCard recovery={factors.recovery} asking={asking('recovery')} onDone={setDone} />
      )}
      {isOnlyAdding ? null : (
        <Columns>
          <TwoStepsCard {...parts} asking={asking('twoSteps')} />
          {me.requires === null ? <PasswordCard asking={asking('password')} onDone={setDone} /> : null}
        </Columns>
      )}
      {passkeys ? <PasskeysCard {...parts} asking={asking('passkey')} /> : null}
      <Columns>
        <AppCard {...parts} />
        {isOnlyAdding ? null : <BackupCodesCard {...parts} asking={asking('codes')} />}
      </Columns>
      {me.requires === null ? (
        <>
          <EventsCard />
          <ConnectedAppsCard onDone={setDone} />
        </>
      ) : null}
      {done?.backupCodes === undefined ? null : (
        <BackupCodesDialog codes={done.backupCodes} onClose={() => setDone({ notice: done.notice })} />
      )}
    </Screen>
  );
}
