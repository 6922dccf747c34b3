import { useMutationState } from '@gatehouse/ui/failure/use-mutation-state';
import { Confirm } from '@gatehouse/ui/form/confirm';
import { FailureNote } from '@gatehouse/ui/form/form';
import { Button } from '@gatehouse/ui/parts/button';
import { shownName } from '@gatehouse/ui/session/who-is-here';
import { withReauth } from '@gatehouse/ui/session/with-reauth';
import { useQueryClient } from '@tanstack/react-query';
import { type ReactElement, useState } from 'react';
import { gatehouse } from '../client.js';
import { useMemberPage } from '../member/member-page.js';
import { useMe } from '../session/me.js';
import { ActionLink } from '../shell/action-links.js';
import { t } from '../words.js';
import { type Colleague, saveColleague } from './colleague-fields.js';

/** Activates and deactivates a colleague, never oneself. */
export function ColleagueActions({
  colleague,
  onNotice,
}: {
  readonly colleague: Colleague;
  readonly onNotice: (notice: string | undefined) => void;
}): ReactElement {
  const { id: personnelId, active, email } = colleague;
  const isSelf = personnelId === useMe().member.id;
  const actions = useMemberPage(personnelId).data?.actions ?? [];
  const queries = useQueryClient();
  const mutation = useMutationState();
  const [isAsking, setAsking] = useState(false);
  const name = shownName(colleague);

  function act(work: (signal: AbortSignal) => Promise<unknown>, notice: string): void {
    onNotice(undefined);
    mutation.send(async (signal) => {
      await work(signal);
      onNotice(notice);
    });
  }

  return (
    <>
      {active ? null : (
        <Button
          kind="primary"
          isBusy={mutation.isBusy}
          onClick={() =>
            act(
              (signal) => saveColleague(queries, { personnelId, active: true }, signal),
              t('staff.switchedOn', { name }),
            )
          }
        >
          {t('staff.switchOn')}
        </Button>
      )}
      {actions.includes('reinvite') && email !== null ? (
        <Button
          isBusy={mutation.isBusy}
          onClick={() =>
            act(
              (signal) =>
                withReauth(() => gatehouse.api.personnel.reinvite.mutate({ personnelId }, { signal })),
              t('staff.reinvited', { email }),
            )
          }
        >
          {t('staff.reinvite')}
        </Button>
      ) : null}
      <ActionLink to="/members/$memberId" params={{ memberId: String(personnelId) }}>
        {t('staff.asMember')}
      </ActionLink>
      {active && !isSelf ? (
        <Button kind="grave" onClick={() => setAsking(true)}>
          {t('staff.switchOff')}
        </Button>
      ) : null}
      {mutation.failure === undefined ? null : (
        <div className="w-full">
          <FailureNote failure={mutation.failure} />
        </div>
      )}
      {isAsking ? (
        <SwitchOff
          colleague={colleague}
          onDone={() => {
            setAsking(false);
            onNotice(t('staff.isOff', { name }));
          }}
          onClose={() => setAsking(false)}
        />
      ) : null}
    </>
  );
}

function SwitchOff({
  colleague,
  onDone,
  onClose,
}: {
  readonly colleague: Colleague;
  readonly onDone: () => void;
  readonly onClose: () => void;
}): ReactElement {
  const queries = useQueryClient();
  const mutation = useMutationState();
  return (
    <Confirm
      title={t('staff.switchOffTitle', { name: shownName(colleague) })}
      effect={t('staff.switchOffEffect')}
      action={t('staff.switchOff')}
      mutation={mutation}
      onConfirm={async (_fields, signal) => {
        await saveColleague(queries, { personnelId: colleague.id, active: false }, signal);
        onDone();
      }}
      onClose={onClose}
    />
  );
}
