import type { MainOutputs } from '@gatehouse/client-sdk';
import { useMutationState } from '@gatehouse/ui/failure/use-mutation-state';
import { FailureNote } from '@gatehouse/ui/form/form';
import { Button } from '@gatehouse/ui/parts/button';
import { Card } from '@gatehouse/ui/parts/card';
import { StatusIcon } from '@gatehouse/ui/parts/icons';
import { shownAddress } from '@gatehouse/ui/screen/shown-address';
import { withReauth } from '@gatehouse/ui/session/with-reauth';
import { roleName } from '@gatehouse/ui/team/role-name';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import type { ReactElement, ReactNode } from 'react';
import { gatehouse } from '../../client.js';
import { t } from '../words.js';

type Person = MainOutputs['takeover']['list']['data'][number];
type Partner = MainOutputs['takeover']['list']['partners'][number];

/** The maximum page size. More people appear once these are decided. */
const MOST = 200;

/** People who got access before the owner proved the address: the owner approves or refuses each. */
export function HeldPeople(): ReactElement | null {
  const { data: held } = useQuery({
    queryKey: ['you', 'held'],
    queryFn: ({ signal }) => gatehouse.api.takeover.list.query({ limit: MOST }, { signal }),
  });
  if (held === undefined || held.data.length + held.partners.length === 0) return null;
  return (
    <Card title={t('held.title')}>
      <p className="border-b border-line px-3 py-2.5">{t('held.lead')}</p>
      <ul>
        {held.data.map((person) => (
          <HeldPerson key={person.id} person={person} />
        ))}
        {held.partners.map((partner) => (
          <HeldPartner key={partner.partnerId} partner={partner} />
        ))}
      </ul>
    </Card>
  );
}

function HeldPerson({
  person: { id, name, email, accountName, role },
}: {
  readonly person: Person;
}): ReactElement {
  return (
    <Row
      name={name}
      decide={(keep, signal) => gatehouse.api.takeover.decide.mutate({ membershipId: id, keep }, { signal })}
    >
      {email === null || email === name ? null : (
        <p className="text-quiet wrap-anywhere">
          <bdi>{shownAddress(email)}</bdi>
        </p>
      )}
      <p className="text-quiet wrap-anywhere">
        {t('held.person', { account: accountName, role: roleName(role) })}
      </p>
    </Row>
  );
}

function HeldPartner({ partner: { partnerId, name } }: { readonly partner: Partner }): ReactElement {
  return (
    <Row
      name={name}
      decide={(keep, signal) => gatehouse.api.takeover.decide.mutate({ partnerId, keep }, { signal })}
    >
      <p className="text-quiet">{t('held.partner')}</p>
    </Row>
  );
}

function Row({
  name,
  decide,
  children,
}: {
  readonly name: string;
  readonly decide: (keep: boolean, signal: AbortSignal) => Promise<unknown>;
  readonly children: ReactNode;
}): ReactElement {
  const queries = useQueryClient();
  const mutation = useMutationState();
  const answer = (keep: boolean): void =>
    mutation.send(async (signal) => {
      await withReauth(() => decide(keep, signal));
      await queries.invalidateQueries();
    });
  return (
    <li className="flex flex-col gap-3 border-b border-line px-3 py-2.5 last:border-0">
      <div className="flex flex-wrap items-start gap-3">
        <span className="pt-0.5">
          <StatusIcon tone="error" />
        </span>
        <div className="min-w-0 flex-1 basis-40">
          <bdi className="font-semibold wrap-anywhere">{name}</bdi>
          {children}
        </div>
        <div className="flex flex-wrap gap-3">
          <Button isBusy={mutation.isBusy} onClick={() => answer(true)}>
            {t('held.yes')}
            <span className="sr-only"> {name}</span>
          </Button>
          <Button isBusy={mutation.isBusy} onClick={() => answer(false)}>
            {t('held.no')}
            <span className="sr-only"> {name}</span>
          </Button>
        </div>
      </div>
      {mutation.failure === undefined ? null : <FailureNote failure={mutation.failure} />}
    </li>
  );
}
