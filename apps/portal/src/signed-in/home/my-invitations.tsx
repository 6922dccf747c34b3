import type { MainOutputs } from '@gatehouse/client-sdk';
import { useMutationState } from '@gatehouse/ui/failure/use-mutation-state';
import { FailureNote } from '@gatehouse/ui/form/form';
import { Button } from '@gatehouse/ui/parts/button';
import { Card } from '@gatehouse/ui/parts/card';
import { Initials } from '@gatehouse/ui/parts/initials';
import { roleName } from '@gatehouse/ui/team/role-name';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import type { ReactElement } from 'react';
import { gatehouse } from '../../client.js';
import { provingAddress, useMe } from '../session/me.js';
import { t } from '../words.js';

type Invitation = MainOutputs['invitation']['listMine']['data'][number];

/** The invitations to the member's own address, which can be answered here as well as through the mail. */
export function MyInvitations(): ReactElement | null {
  const { data } = useQuery({
    queryKey: ['you', 'invitations'],
    queryFn: ({ signal }) => gatehouse.api.invitation.listMine.query({}, { signal }),
  });
  if (data === undefined || data.data.length === 0) return null;
  return (
    <Card title={t('invited.title')}>
      <ul>
        {data.data.map((invitation) => (
          <Row key={invitation.id} invitation={invitation} />
        ))}
      </ul>
    </Card>
  );
}

function Row({
  invitation: { id, accountName, inviterName, role },
}: {
  readonly invitation: Invitation;
}): ReactElement {
  const { member } = useMe();
  const queries = useQueryClient();
  const mutation = useMutationState();
  const answer = (work: (signal: AbortSignal) => Promise<unknown>): void =>
    mutation.send(async (signal) => {
      await work(signal);
      await queries.invalidateQueries();
    });
  return (
    <li className="flex flex-col gap-3 border-b border-line px-3 py-2.5 last:border-0">
      <div className="flex flex-wrap items-start gap-3">
        <Initials of={accountName} />
        <div className="min-w-0 flex-1 basis-40">
          <bdi className="font-semibold">{accountName}</bdi>
          <p className="text-quiet wrap-anywhere">
            {t('invited.by', { name: inviterName, role: roleName(role) })}
          </p>
        </div>
        <div className="flex flex-wrap gap-3">
          <Button
            kind="primary"
            isBusy={mutation.isBusy}
            onClick={() =>
              answer((signal) =>
                provingAddress(member.email, () =>
                  gatehouse.api.invitation.accept.mutate({ invitationId: id }, { signal }),
                ),
              )
            }
          >
            {t('invited.accept')}
            <span className="sr-only"> {accountName}</span>
          </Button>
          <Button
            isBusy={mutation.isBusy}
            onClick={() =>
              answer((signal) => gatehouse.api.invitation.decline.mutate({ invitationId: id }, { signal }))
            }
          >
            {t('invited.decline')}
            <span className="sr-only"> {accountName}</span>
          </Button>
        </div>
      </div>
      {mutation.failure === undefined ? null : <FailureNote failure={mutation.failure} />}
    </li>
  );
}
