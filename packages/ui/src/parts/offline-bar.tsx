import { type ReactElement, useSyncExternalStore } from 'react';
import { t } from '../messages/translate.js';
import { Banner } from './banner.js';

function watchConnection(listener: () => void): () => void {
  addEventListener('online', listener);
  addEventListener('offline', listener);
  return () => {
    removeEventListener('online', listener);
    removeEventListener('offline', listener);
  };
}

/** Says that there is no connection, for as long as there is none. */
export function OfflineBar(): ReactElement | null {
  const isOnline = useSyncExternalStore(watchConnection, () => navigator.onLine);
  return isOnline ? null : <Banner tone="pending">{t('ui.offline')}</Banner>;
}
