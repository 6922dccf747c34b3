import { isGatehouseError } from '@gatehouse/client-sdk';
import { useSending } from '@gatehouse/screens/failure/use-sending';
import { leaveTo } from '@gatehouse/screens/session/leave-to';
import { FailureNote } from '@gatehouse/ui/form/failure-note';
import { Button, ButtonLink } from '@gatehouse/ui/parts/button';
import { type ReactElement, useEffect, useState } from 'react';
import { gatehouse } from '../client.js';
import { SCREENS } from '../links.js';
import { takeFragment } from '../take-fragment.js';
import { Entrance } from './entrance.js';
import { mountScreen } from './mount-screen.js';
import { t } from './words.js';

const ticket = takeFragment().get('ticket');

function Impersonate(): ReactElement {
  return ticket === null ? (
    <Ended title={t('impersonate.over')} lead={t('impersonate.overLead')} />
  ) : (
    <ByTicket ticket={ticket} />
  );
}

/** Opens the session of the link. Where the answer was lost, the ticket may be used up; the service knows. */
function ByTicket({ ticket }: { readonly ticket: string }): ReactElement {
  const sending = useSending();
  const [isRefused, setRefused] = useState(false);
  const { failure, isBusy, send } = sending;
  const open = () =>
    send(async (signal) => {
      try {
        const { data } = await gatehouse.api.impersonation.open.mutate({ ticket }, { signal });
        gatehouse.adoptSession(data);
      } catch (error) {
        if (!isGatehouseError(error, 'invalid_token')) throw error;
        setRefused(true);
        return;
      }
      await leaveTo(SCREENS.home, { forGood: true });
    });
  useEffect(open, []);

  if (isRefused) return <Ended title={t('impersonate.refused')} lead={t('impersonate.refusedLead')} />;
  if (failure === undefined) return <Entrance title={t('impersonate.wait')} />;
  return (
    <Entrance title={t('loaded.unreached')} state="shut" takesFocus>
      <FailureNote failure={failure} />
      <div>
        <Button kind="primary" isBusy={isBusy} onClick={open}>
          {t('loaded.retry')}
        </Button>
      </div>
    </Entrance>
  );
}

function Ended({ title, lead }: { readonly title: string; readonly lead: string }): ReactElement {
  return (
    <Entrance title={title} lead={lead} state="shut" takesFocus>
      <div>
        <ButtonLink kind="primary" href={SCREENS.home}>
          {t('impersonate.home')}
        </ButtonLink>
      </div>
    </Entrance>
  );
}

void mountScreen(Impersonate);
