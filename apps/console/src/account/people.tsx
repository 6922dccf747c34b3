import { ROLES } from '@gatehouse/client-sdk/admin';
import { useMutationState } from '@gatehouse/ui/failure/use-mutation-state';
import { Form } from '@gatehouse/ui/form/form';
import { SelectField } from '@gatehouse/ui/form/select-field';
import { AddressField } from '@gatehouse/ui/form/text-field';
import { More, usePages } from '@gatehouse/ui/list/paged-list';
import { Banner } from '@gatehouse/ui/parts/banner';
import { Button } from '@gatehouse/ui/parts/button';
import { Card } from '@gatehouse/ui/parts/card';
import { Denied, QueryView } from '@gatehouse/ui/screen/asked';
import { inLanguage, Screen } from '@gatehouse/ui/screen/screen';
import { withReauth } from '@gatehouse/ui/session/with-reauth';
import { useQueryClient } from '@tanstack/react-query';
import { type ReactElement, useEffect, useRef, useState } from 'react';
import { gatehouse } from '../client.js';
import { mayAnywhere, useMe } from '../session/me.js';
import { Invitations } from './account-invitations.js';
import {
  type AccountPage,
  AccountPath,
  accountKey,
  MANY,
  type PlacedMember,
  statusOf,
  useAccountId,
  useAccountPage,
} from './account-page.js';
import { givenRoles, PersonRow } from './person-row.js';
import { t } from './words.js';

/** Invites one address after the other. */
export function InviteCard({
  page,
  onNotice,
}: {
  readonly page: AccountPage;
  readonly onNotice: (notice: string) => void;
}): ReactElement {
  const { id } = page.account;
  const queries = useQueryClient();
  const mutation = useMutationState('email', 'role');
  const [sent, setSent] = useState(0);
  const place = useRef<HTMLDivElement>(null);
  useEffect(() => place.current?.querySelector('input')?.focus(), [sent]);
  return (
    <Card title={t('invite.title')}>
      <div ref={place} className="p-3">
        <Form
          mutation={mutation}
          onSend={async ({ email = '', role = '' }, signal) => {
            const { api } = gatehouse.withAccount(id);
            const wanted = { email: email.trim(), roleType: Number(role) };
            const { data } = await withReauth(() => api.invitation.create.mutate(wanted, { signal }));
            onNotice(t(data.delivery === 'held' ? 'invite.held' : 'invite.sent', { email: data.email }));
            setSent(sent + 1);
            await queries.invalidateQueries({ queryKey: accountKey(id) });
          }}
        >
          <div className="grid gap-5 rows:grid-cols-2">
            <AddressField key={sent} name="email" label={t('invite.email')} autoComplete="off" required />
            <SelectField
              name="role"
              label={t('invite.role')}
              choices={givenRoles(page)}
              defaultValue={String(ROLES.userMember)}
            />
          </div>
          <div>
            <Button type="submit" kind="primary" isBusy={mutation.isBusy}>
              {t('invite.submit')}
            </Button>
          </div>
        </Form>
      </div>
    </Card>
  );
}

export const PeopleScreen = inLanguage(People);

function People(): ReactElement {
  const accountId = useAccountId();
  return mayAnywhere(useMe(), 'member.list') ? <Shown key={accountId} accountId={accountId} /> : <Denied />;
}

function Shown({ accountId }: { readonly accountId: number }): ReactElement {
  const page = useAccountPage(accountId);
  return <QueryView answer={page}>{(data) => <Page page={data} />}</QueryView>;
}

function Page({ page }: { readonly page: AccountPage }): ReactElement {
  const [isInviting, setInviting] = useState(false);
  const [notice, setNotice] = useState<string>();
  const { account, actions, counts, state } = page;
  if (state !== 'live') return <Shut page={page} />;
  const manages = actions.includes('seeInvitations');
  return (
    <div className="flex flex-col gap-4">
      <AccountPath account={account} here={t('people.here')} />
      <Screen
        title={t(counts.members >= MANY ? 'people.titleMany' : 'people.title', {
          count: counts.members,
          account: account.name,
        })}
        lead={t(manages ? 'people.lead' : 'people.leadReader')}
        actions={
          actions.includes('invite') ? (
            <Button kind="primary" aria-expanded={isInviting} onClick={() => setInviting(!isInviting)}>
              {t('invite.open')}
            </Button>
          ) : undefined
        }
      >
        {notice === undefined ? null : <Banner tone="ok">{notice}</Banner>}
        {isInviting ? <InviteCard page={page} onNotice={setNotice} /> : null}
        <Members page={page} onNotice={setNotice} />
        {manages ? <Invitations page={page} onNotice={setNotice} /> : null}
      </Screen>
    </div>
  );
}

/** Nobody acts in an account that is closed, and nobody lists its members. */
function Shut({ page }: { readonly page: AccountPage }): ReactElement {
  const { title, tone, lead } = statusOf(page);
  return (
    <div className="flex flex-col gap-4">
      <AccountPath account={page.account} here={t('people.here')} />
      <Screen title={title} tone={tone} lead={lead} />
    </div>
  );
}

function Members({
  page,
  onNotice,
}: {
  readonly page: AccountPage;
  readonly onNotice: (notice: string) => void;
}): ReactElement {
  const { id } = page.account;
  const list = usePages<PlacedMember>([...accountKey(id), 'members'], (at, signal) =>
    gatehouse.withAccount(id).api.member.list.query(at, { signal }),
  );
  return (
    <Card title={t('people.members')}>
      <QueryView answer={list} isPart>
        {(members) => (
          <>
            {members.length === 0 ? <p className="p-3 text-quiet">{t('account.noMembers')}</p> : null}
            <ul>
              {members.map((member) => (
                <PersonRow key={member.id} page={page} member={member} onNotice={onNotice} />
              ))}
            </ul>
            <More of={list} />
          </>
        )}
      </QueryView>
    </Card>
  );
}
