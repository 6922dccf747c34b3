import { More, usePages } from '@gatehouse/ui/list/paged-list';
import { Button } from '@gatehouse/ui/parts/button';
import { Card } from '@gatehouse/ui/parts/card';
import { Notice } from '@gatehouse/ui/parts/notice';
import { Denied, QueryView } from '@gatehouse/ui/screen/asked';
import { inLanguage, Screen } from '@gatehouse/ui/screen/screen';
import { t as ofTeams } from '@gatehouse/ui/team/words';
import { type ReactElement, useRef, useState } from 'react';
import { gatehouse } from '../client.js';
import { mayAnywhere, useMe } from '../session/me.js';
import { Invitations, Invite } from './account-invitations.js';
import {
  type AccountPage,
  AccountView,
  accountKey,
  MANY,
  type PlacedMember,
  statusOf,
  useAccountId,
} from './account-page.js';
import { PersonRow } from './person-row.js';
import { t } from './words.js';

export const PeopleScreen = inLanguage(People);

function People(): ReactElement {
  const accountId = useAccountId();
  return mayAnywhere(useMe(), 'member.list') ? <Shown key={accountId} accountId={accountId} /> : <Denied />;
}

function Shown({ accountId }: { readonly accountId: number }): ReactElement {
  return (
    <AccountView accountId={accountId} here={t('people.here')}>
      {(data) => <Page page={data} />}
    </AccountView>
  );
}

function Page({ page }: { readonly page: AccountPage }): ReactElement {
  return page.state === 'live' ? <Live page={page} /> : <Shut page={page} />;
}

function Live({ page }: { readonly page: AccountPage }): ReactElement {
  const { account, actions, counts } = page;
  const list = useMembers(account);
  const [isInviting, setInviting] = useState(false);
  const opener = useRef<HTMLButtonElement>(null);
  const [notice, setNotice] = useState<string>();
  const manages = actions.includes('seeInvitations');
  return (
    <Screen
      title={t('people.title', { account: account.name })}
      lead={[
        t(counts.members >= MANY ? 'people.countMany' : 'people.count', { count: counts.members }),
        ...(manages ? [ofTeams('team.lead')] : []),
      ].join(' ')}
      actions={
        actions.includes('invite') ? (
          <Button
            ref={opener}
            kind="primary"
            aria-expanded={isInviting}
            onClick={() => setInviting(!isInviting)}
          >
            {ofTeams('invite.open')}
          </Button>
        ) : undefined
      }
    >
      <Notice text={notice} onClose={setNotice} />
      {isInviting ? (
        <Invite
          page={page}
          onNotice={setNotice}
          onClose={() => {
            setInviting(false);
            // The form had the focus.
            opener.current?.focus();
          }}
        />
      ) : null}
      <Members page={page} list={list} onNotice={setNotice} />
      {/* Not shown before the content above has its height. */}
      <div className={list.isLoading ? 'hidden' : 'contents'}>
        {manages ? <Invitations page={page} onNotice={setNotice} /> : null}
      </div>
    </Screen>
  );
}

/** Nobody acts in an account that is closed, and nobody lists its members. */
function Shut({ page }: { readonly page: AccountPage }): ReactElement {
  const { title, tone, lead } = statusOf(page);
  return <Screen title={title} tone={tone} lead={lead} />;
}

/** The members of an account. */
const useMembers = ({ id }: AccountPage['account']) =>
  usePages<PlacedMember>([...accountKey(id), 'members'], (at, signal) =>
    gatehouse.withAccount(id).api.member.list.query(at, { signal }),
  );

function Members({
  page,
  list,
  onNotice,
}: {
  readonly page: AccountPage;
  readonly list: ReturnType<typeof useMembers>;
  readonly onNotice: (notice: string) => void;
}): ReactElement {
  return (
    <Card title={ofTeams('team.members')}>
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
