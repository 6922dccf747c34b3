import '../theme.css';
import { offerCompanySignIn } from '@gatehouse/ui/failure/use-mutation-state';
import { preferredLanguage, showLanguage } from '@gatehouse/ui/messages/language';
import { showTheme } from '@gatehouse/ui/screen/chosen-theme';
import { recordMove } from '@gatehouse/ui/screen/screen';
import { herePath, withNext } from '@gatehouse/ui/session/next-path';
import { queryClient } from '@gatehouse/ui/session/page-session';
import { QueryClientProvider } from '@tanstack/react-query';
import { RouterProvider } from '@tanstack/react-router';
import { createRoot } from 'react-dom/client';
import { startCompanySignIn } from '../provider-flow.js';
import { loadSettings } from '../signed-out/settings.js';
import { router } from './router.js';
import { MESSAGES } from './words.js';

router.subscribe('onBeforeNavigate', ({ fromLocation, pathChanged }) => {
  if (fromLocation !== undefined && pathChanged) recordMove();
});

offerCompanySignIn((startUrl) => startCompanySignIn(startUrl, withNext('', herePath())));

// A page that Back restores from memory may belong to a session that is over.
addEventListener('pageshow', ({ persisted }) => {
  if (persisted) location.reload();
});

showTheme();

// The screen and the signed-in person are requested while the language loads.
void router.load();
await Promise.all([showLanguage(preferredLanguage(), MESSAGES), loadSettings()]);
const root = document.getElementById('root');
if (root === null) throw new Error('The document has no root');
createRoot(root).render(
  <QueryClientProvider client={queryClient}>
    <RouterProvider router={router} />
  </QueryClientProvider>,
);
