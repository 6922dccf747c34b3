import { isGatehouseError } from '@gatehouse/client-sdk';
import { useMutationState, useOnce } from '@gatehouse/ui/failure/use-mutation-state';
import { Confirm } from '@gatehouse/ui/form/confirm';
import type { FormFields } from '@gatehouse/ui/form/form';
import { SelectField } from '@gatehouse/ui/form/select-field';
import { Button } from '@gatehouse/ui/parts/button';
import { Dialog } from '@gatehouse/ui/parts/dialog';
import { rich } from '@gatehouse/ui/parts/rich';
import { QueryView } from '@gatehouse/ui/screen/asked';
import { leaveTo } from '@gatehouse/ui/session/leave-to';
import { shownName } from '@gatehouse/ui/session/who-is-here';
import { withReauth } from '@gatehouse/ui/session/with-reauth';
import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import type { ReactElement } from 'react';
import { gatehouse } from '../../../client.js';
import { SCREENS } from '../../../links.js';
import { useSettings } from '../../../signed-out/settings.js';
import type { TeamMember } from '../../account/team/team-roles.js';
import { useMe } from '../../session/me.js';
import { t } from '../words.js';

/** States of a subscription that has to end before the account may close. */
const RUNNING = ['active', 'past_due', 'paused'];

/** An account that the member owns, and what may become of it. */
interface OwnedAccount {
  readonly id: number;
  readonly name: string;
  readonly isPaid: boolean;
  readonly hasOthers: boolean;
  /** The members to whom it can be transferred, whose addresses are confirmed. */
  readonly heirs: readonly { readonly id: number; readonly name: string }[];
}

/** The accounts that close, or need a choice, when the member deletes themselves. */
function useOwnedAccounts() {
  const { member, memberships } = useMe();
  return useQuery({
    queryKey: ['you', 'owned'],
    // The choices depend on it.
    staleTime: 0,
    queryFn: async ({ signal }) => {
      const { data } = await gatehouse.api.account.listMine.query({ limit: 200 }, { signal });
      const owned = data.filter(({ state, isPrimaryOwner }) => state === 'live' && isPrimaryOwner);
      return Promise.all(
        owned.map(async ({ id, name }): Promise<OwnedAccount> => {
          const within = gatehouse.withAccount(id).api;
          const members = await within.member.list.query({ limit: 200 }, { signal });
          const others = members.data.filter((other) => other.id !== member.id);
          const place = memberships.find(({ accountId }) => accountId === id);
          return {
            id,
            name,
            isPaid: RUNNING.includes(place?.subscription.state ?? ''),
            hasOthers: others.length > 0,
            heirs: others.filter(({ emailVerified }) => emailVerified).map(asHeir),
          };
        }),
      );
    },
  });
}

function asHeir(member: TeamMember) {
  return { id: member.id, name: shownName(member) };
}

const fieldOf = ({ id }: OwnedAccount): string => `account-${id}`;

/**
 * Whether only the account's own settings can close it: a paid account cannot be closed together with its owner or transferred.
 */
const isInTheWay = ({ isPaid, heirs }: OwnedAccount): boolean => isPaid && heirs.length === 0;

/** Asks what should happen to the accounts that the member owns, and for the address, before the deletion. */
export function DeleteDialog({ onClose }: { readonly onClose: () => void }): ReactElement {
  const owned = useOwnedAccounts();
  return owned.data === undefined ? (
    <Dialog title={t('delete.question')} onClose={onClose}>
      <QueryView answer={owned} isPart>
        {() => null}
      </QueryView>
      <div>
        <Button onClick={onClose}>{t('delete.keep')}</Button>
      </div>
    </Dialog>
  ) : (
    <Deletion owned={owned.data} onClose={onClose} />
  );
}

function Deletion({
  owned,
  onClose,
}: {
  readonly owned: readonly OwnedAccount[];
  readonly onClose: () => void;
}): ReactElement {
  const { member } = useMe();
  const chosen = owned.filter(({ hasOthers }) => hasOthers);
  const mutation = useMutationState('typed', ...chosen.map(fieldOf));
  const once = useOnce();
  const blocked = owned.filter(isInTheWay);
  if (blocked.length > 0) return <Blocked by={blocked} onClose={onClose} />;

  const alone = owned.filter(({ hasOthers }) => !hasOthers).map(({ name }) => name);
  return (
    <Confirm
      title={t('delete.question')}
      effect={<Effect alone={alone} isMailed={member.email !== null && member.emailVerified} />}
      action={t('delete.submit')}
      typed={{ label: t('delete.typed'), text: member.email ?? member.username }}
      mutation={mutation}
      onConfirm={async (fields, signal) => {
        const open = chosen.filter((account) => (fields[fieldOf(account)] ?? '') === '');
        if (open.length > 0) {
          const issues = open.map((account) => ({ path: fieldOf(account), message: t('delete.choose') }));
          return mutation.fail({ message: '', issues, mayRetry: false });
        }
        const accounts = chosen.map((account) => endOf(account, fields));
        // A deleted member has no session, and cannot ask later when the data is erased.
        let until = 'unknown';
        let isLinkMailed = member.email !== null && member.emailVerified;
        await once(
          async () => {
            const { data } = await withReauth(() =>
              gatehouse.api.member.deleteOwn.mutate({ accounts }, { signal }),
            );
            until = data.erasedAt;
            isLinkMailed = data.isLinkMailed;
          },
          (refusal) => isGatehouseError(refusal, 'unauthorized'),
        );
        const told = { until, ...(isLinkMailed ? {} : { mailed: 'no' }) };
        await leaveTo(`${SCREENS.restore}#${new URLSearchParams(told).toString()}`, { forGood: true });
      }}
      onClose={onClose}
    >
      {chosen.map((account) => (
        <SelectField
          key={account.id}
          name={fieldOf(account)}
          label={t('delete.account', { account: account.name })}
          choices={[
            { value: '', label: t('delete.choose') },
            ...(account.isPaid ? [] : [{ value: 'close', label: t('delete.close') }]),
            ...account.heirs.map(({ id, name }) => ({
              value: String(id),
              label: t('delete.transfer', { name }),
            })),
          ]}
        />
      ))}
    </Confirm>
  );
}

function endOf(account: OwnedAccount, fields: FormFields) {
  const choice = fields[fieldOf(account)] ?? '';
  const accountId = account.id;
  return choice === 'close'
    ? { accountId, action: 'close' as const }
    : { accountId, action: 'transfer' as const, memberId: Number(choice) };
}

function Effect({
  alone,
  isMailed,
}: {
  readonly alone: readonly string[];
  readonly isMailed: boolean;
}): ReactElement {
  const { restorableDays } = useSettings();
  return (
    <div className="flex flex-col gap-3">
      <p>{t('delete.effect')}</p>
      {alone.length === 0 ? null : (
        <div>
          <p>{t('delete.alone', { count: alone.length })}</p>
          <ul className="ms-5 list-disc">
            {alone.map((name) => (
              <li key={name}>
                <bdi className="font-semibold">{name}</bdi>
              </li>
            ))}
          </ul>
        </div>
      )}
      <p>{t(isMailed ? 'delete.back' : 'delete.noWayBack', { days: restorableDays.member })}</p>
    </div>
  );
}

/** Accounts with a running subscription, which only their settings end. */
function Blocked({
  by,
  onClose,
}: {
  readonly by: readonly OwnedAccount[];
  readonly onClose: () => void;
}): ReactElement {
  return (
    <Dialog title={t('delete.paid')} onClose={onClose}>
      <p className="text-lead">{t('delete.paidLead')}</p>
      <ul className="flex flex-col gap-2">
        {by.map(({ id, name }) => (
          <li key={id}>
            {rich(t('delete.paidAccount'), {
              account: () => (
                <Link
                  to="/a/$account/settings"
                  params={{ account: String(id) }}
                  className="text-harbour underline underline-offset-3"
                >
                  <bdi>{name}</bdi>
                </Link>
              ),
            })}
          </li>
        ))}
      </ul>
      <div>
        <Button onClick={onClose}>{t('delete.keep')}</Button>
      </div>
    </Dialog>
  );
}
