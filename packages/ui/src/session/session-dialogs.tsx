import type { ReactElement } from 'react';
import { type ServiceClient, SessionOverDialog } from './page-session.js';
import { ProofDialog } from './with-reauth.js';

/** The dialogs that a session may open over any screen. */
export function SessionDialogs({
  client,
  member,
  paths: { home, signIn },
  isActing = false,
}: {
  readonly client: ServiceClient;
  /** The member whose page it is. */
  readonly member: { readonly id: number; readonly email: string | null; readonly username: string };
  readonly paths: { readonly home: string; readonly signIn: string };
  /** Whether staff act for the member. */
  readonly isActing?: boolean;
}): ReactElement {
  return (
    <>
      <ProofDialog client={client} login={member.email ?? member.username} />
      <SessionOverDialog
        client={client}
        memberId={member.id}
        signIn={signIn}
        home={home}
        isActing={isActing}
      />
    </>
  );
}
