import { SessionOverDialog } from '@gatehouse/ui/session/page-session';
import { ProofDialog } from '@gatehouse/ui/session/with-reauth';
import type { ReactElement } from 'react';
import { gatehouse } from '../client.js';
import { PATHS } from '../links.js';
import type { Me } from './me.js';

/** What a session may have to ask over any screen. */
export function SessionDialogs({ member }: Pick<Me, 'member'>): ReactElement {
  return (
    <>
      <ProofDialog client={gatehouse} login={member.email ?? member.username} />
      <SessionOverDialog client={gatehouse} memberId={member.id} signIn={PATHS.signIn} home={PATHS.home} />
    </>
  );
}
