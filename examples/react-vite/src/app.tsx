import { isGatehouseError, type Member } from '@gatehouse/client-sdk';
import { useAccount, useMe, usePermission, useSession } from '@gatehouse/client-sdk/react';
import { useEffect, useState } from 'react';
import { fieldIn } from './field-in';
import { SignIn } from './sign-in';

export function App() {
  const { isSignedIn } = useSession();
  if (isSignedIn === false) return <SignIn />;
  return <Home />;
}

/** While the service is asked who is signed in. It is asked again when the network is back. */
function Waiting() {
  const { error, reload } = useMe();
  if (error === undefined) return <p>One moment …</p>;
  return (
    <>
      <p role="alert">{isGatehouseError(error) ? error.message : 'The service cannot be reached.'}</p>
      <button type="button" onClick={() => void reload()}>
        Try again
      </button>
    </>
  );
}

function Home() {
  const { client } = useSession();
  const { me } = useMe();
  const { account, accounts, select } = useAccount();
  if (me === undefined) return <Waiting />;
  return (
    <>
      <h1>Hello, {me.member.username}</h1>
      <label>
        Account{' '}
        <select value={account?.accountId} onChange={(event) => select(Number(event.target.value))}>
          {accounts.map((each) => (
            <option key={each.accountId} value={each.accountId}>
              {each.accountName}
            </option>
          ))}
        </select>
      </label>
      {account !== undefined && <Account key={account.accountId} />}
      <button
        type="button"
        onClick={() => void client.signOut().catch(() => alert('You are still signed in. Please try again.'))}
      >
        Sign out
      </button>
    </>
  );
}

function Account() {
  const { account, client } = useAccount();
  const { reload } = useMe();
  const mayRename = usePermission('account.manage');
  const [members, setMembers] = useState<readonly Member[]>([]);
  const [message, setMessage] = useState('');

  useEffect(() => {
    const leaving = new AbortController();
    client.api.member.list.query({ limit: 50 }, { signal: leaving.signal }).then(
      ({ data }) => setMembers(data),
      (error: unknown) => leaving.signal.aborted || setMessage(String(error)),
    );
    return () => leaving.abort();
  }, [client]);

  async function rename(form: FormData) {
    try {
      await client.api.account.rename.mutate({ name: fieldIn(form, 'name') });
      await reload();
      setMessage('Renamed');
    } catch (error) {
      if (!isGatehouseError(error)) throw error;
      setMessage(error.message);
    }
  }

  return (
    <>
      <h2>{account?.accountName}</h2>
      <p>You are its {account?.roleLabel}.</p>
      <ul>
        {members.map(({ id, username }) => (
          <li key={id}>{username}</li>
        ))}
      </ul>
      {/* The service decides. What a permission hides here is help, not protection. */}
      {mayRename === false && <p>You may not rename this account.</p>}
      <form action={rename}>
        <label>
          New name <input name="name" required />
        </label>
        <button type="submit">Rename</button>
      </form>
      <p role="status">{message}</p>
    </>
  );
}
