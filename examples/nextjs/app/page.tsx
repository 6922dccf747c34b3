import { isGatehouseError } from '@gatehouse/client-sdk';
import { gatehouse, whoIsSignedIn } from '../gatehouse';
import { ActionForm } from './action-form';
import { changeEmail, renameAccount, selectAccount, signOut, signOutEverywhere } from './actions';

export default async function Page() {
  const { member, memberships } = await whoIsSignedIn();
  const { accountId } = await gatehouse();
  const account = memberships.find((each) => each.accountId === accountId);
  return (
    <>
      <h1>Hello, {member.username}</h1>
      <form action={selectAccount}>
        <label>
          Account{' '}
          <select name="accountId" defaultValue={accountId ?? undefined} key={accountId}>
            {memberships.map((each) => (
              <option key={each.accountId} value={each.accountId}>
                {each.accountName}
              </option>
            ))}
          </select>
        </label>
        <button type="submit">Switch</button>
      </form>
      {account !== undefined && (
        <>
          <h2>{account.accountName}</h2>
          <p>You are its {account.roleLabel}.</p>
          <Members />
          <ActionForm key={accountId} action={renameAccount} button="Rename">
            <label>
              New name <input name="name" required />
            </label>
          </ActionForm>
        </>
      )}
      <ActionForm action={changeEmail} button="Change address" email="New e-mail address" />
      <form action={signOut}>
        <button type="submit">Sign out</button>
        <button type="submit" formAction={signOutEverywhere}>
          Sign out everywhere
        </button>
      </form>
    </>
  );
}

async function Members() {
  const { api } = await gatehouse();
  const listed = await api.member.list.query({ limit: 50 }).catch((error: unknown) => {
    if (isGatehouseError(error, 'permission_denied')) return error;
    throw error;
  });
  if (isGatehouseError(listed)) return <p>{listed.message}</p>;
  return (
    <ul>
      {listed.data.map(({ id, username }) => (
        <li key={id}>{username}</li>
      ))}
    </ul>
  );
}
