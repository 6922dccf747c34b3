import { isGatehouseError } from '@gatehouse/client-sdk';
import { useMutationState } from '@gatehouse/ui/failure/use-mutation-state';
import { FailureNote } from '@gatehouse/ui/form/form';
import { Button, ButtonLink } from '@gatehouse/ui/parts/button';
import { Link } from '@gatehouse/ui/parts/link';
import { leaveTo } from '@gatehouse/ui/session/leave-to';
import { type ReactElement, useState } from 'react';
import { gatehouse } from '../client.js';
import { SCREENS } from '../links.js';
import { keep, takeWayBack } from '../tab-storage.js';
import { takeLink } from '../take-link.js';
import { AuthLayout } from './auth-layout.js';
import { Loaded, useLoad } from './loaded.js';
import { mountScreen } from './mount-screen.js';
import { t } from './words.js';

const ticket = takeLink().get('ticket');

function Impersonate(): ReactElement {
  return ticket === null ? (
    <Ended title={t('impersonate.over')} lead={t('impersonate.overLead')} />
  ) : (
    <ByTicket ticket={ticket} />
  );
}

/**
 * Asks before it opens the session, so that a link alone acts for nobody. If the answer was lost, the ticket may be used up; the
 * service knows.
 */
function ByTicket({ ticket }: { readonly ticket: string }): ReactElement {
  const details = useLoad(() => gatehouse.api.impersonation.details.query({ ticket }));
  const { failure, isBusy, send } = useMutationState();
  const [isRefused, setRefused] = useState(false);
  const open = () =>
    send(async (signal) => {
      try {
        const { data } = await gatehouse.api.impersonation.open.mutate({ ticket }, { signal });
        gatehouse.adoptSession(data);
        keep('back', data.back ?? undefined);
      } catch (error) {
        if (!isGatehouseError(error, 'invalid_token')) throw error;
        setRefused(true);
        return;
      }
      await leaveTo(SCREENS.home, { forGood: true });
    });

  if (isRefused) return <Ended title={t('impersonate.refused')} lead={t('impersonate.refusedLead')} />;
  return (
    <Loaded
      from={details}
      refused={t('impersonate.refused')}
      again={
        <>
          {t('impersonate.refusedLead')} <Link href={SCREENS.home}>{t('impersonate.home')}</Link>
        </>
      }
    >
      {({ actorName, memberName, readOnly }) => (
        <AuthLayout
          title={t('impersonate.title', { member: memberName })}
          lead={t(readOnly ? 'impersonate.leadRead' : 'impersonate.leadWrite', {
            actor: actorName,
            member: memberName,
          })}
          tone="pending"
          takesFocus
        >
          {failure === undefined ? null : <FailureNote failure={failure} />}
          <Button kind="primary" isWide isBusy={isBusy} onClick={open}>
            {t('impersonate.go', { member: memberName })}
          </Button>
          <p>
            <Link href={SCREENS.home}>{t('impersonate.notMe')}</Link>
          </p>
        </AuthLayout>
      )}
    </Loaded>
  );
}

function Ended({ title, lead }: { readonly title: string; readonly lead: string }): ReactElement {
  const [back] = useState(takeWayBack);
  return (
    <AuthLayout title={title} lead={lead} tone="error" takesFocus>
      <div className="flex flex-wrap gap-3">
        {back === undefined ? null : (
          <ButtonLink isWide kind="primary" href={back}>
            {t('impersonate.back')}
          </ButtonLink>
        )}
        <ButtonLink isWide {...(back === undefined ? { kind: 'primary' } : {})} href={SCREENS.home}>
          {t('impersonate.home')}
        </ButtonLink>
      </div>
    </AuthLayout>
  );
}

void mountScreen(Impersonate);
