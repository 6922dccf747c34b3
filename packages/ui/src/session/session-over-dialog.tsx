import { useQueryClient } from '@tanstack/react-query';
import { type ReactElement, useEffect, useSyncExternalStore } from 'react';
import { Dialog } from '../parts/dialog.js';
import { t } from '../screen/words.js';
import type { ServiceClient } from './service-client.js';
import { isSessionOver, tellSessionBack, watchSession, watchSessionOver } from './session-over.js';

/**
 * Says over the page that its session is over. Signing in happens in another tab, by any way there is, so that what is typed
 * here stays; then this page goes on by itself.
 */
export function SessionOverDialog({
  client,
  memberId,
  signIn,
  home,
  isActing = false,
}: {
  readonly client: ServiceClient;
  /** Whose page it is. */
  readonly memberId: number;
  /** The path where one signs in. */
  readonly signIn: string;
  readonly home: string;
  /** Whether somebody acts for the member: an impersonation that is over has a screen of its own. */
  readonly isActing?: boolean;
}): ReactElement | null {
  const isOver = useSyncExternalStore(watchSessionOver, isSessionOver);
  const queries = useQueryClient();

  useEffect(
    () =>
      watchSession(client, () => {
        client.api.session.me.query().then(
          (me) => {
            // What is on the page belongs to somebody else.
            if (me.member.id !== memberId) location.assign(home);
            tellSessionBack();
            void queries.invalidateQueries();
          },
          () => undefined,
        );
      }),
    [client, memberId, home, queries],
  );

  if (!isOver || isActing) return null;
  return (
    <Dialog title={t('over.title')}>
      <p className="text-lead text-quiet">{t('over.lead')}</p>
      <a
        href={signIn}
        target="_blank"
        rel="noopener"
        className="inline-flex min-h-10 items-center justify-center rounded-small border border-harbour bg-harbour px-4 py-2 font-semibold text-on-harbour hover:border-ink hover:bg-ink hover:text-paper"
      >
        {t('over.signIn')}
      </a>
    </Dialog>
  );
}
