import type { ReactElement, ReactNode } from 'react';
import { OfflineBar } from '../parts/offline-bar.js';
import type { ServiceClient } from '../session/page-session.js';
import { SessionDialogs } from '../session/session-dialogs.js';
import { ProgressLine } from './progress-line.js';

/** The frame around every screen of a person who is signed in. */
export function FrameLayout({
  client,
  member,
  paths,
  isActing = false,
  isLoading,
  above,
  side,
  bars,
  children,
}: {
  readonly client: ServiceClient;
  /** The member whose page it is. */
  readonly member: { readonly id: number; readonly email: string | null; readonly username: string };
  readonly paths: { readonly home: string; readonly signIn: string };
  /** Whether staff act for the member. */
  readonly isActing?: boolean;
  /** Whether the next screen is loading. */
  readonly isLoading: boolean;
  /** Content above the sidebar and the screen. */
  readonly above?: ReactNode;
  readonly side: ReactNode;
  /** Content above that of every screen. */
  readonly bars?: ReactNode;
  readonly children: ReactNode;
}): ReactElement {
  return (
    <>
      <div className="min-h-dvh wide:ps-52 print:ps-0">
        {above}
        {side}
        <main id="main" tabIndex={-1} className="min-w-0 px-4 py-6 outline-none wide:px-8 wide:py-8">
          <ProgressLine isLoading={isLoading} />
          <div className="mb-6 flex max-w-page flex-col gap-3 empty:hidden">
            <OfflineBar />
            {bars}
          </div>
          {children}
        </main>
      </div>
      <SessionDialogs client={client} member={member} paths={paths} isActing={isActing} />
    </>
  );
}
