import { inLanguage } from '@gatehouse/ui/screen/in-language';
import { createRootRoute, createRoute } from '@tanstack/react-router';
import { Frame } from './shell/frame.js';

export const rootRoute = createRootRoute();

/** What only those see who are signed in. */
export const frameRoute = createRoute({
  getParentRoute: () => rootRoute,
  id: 'frame',
  component: inLanguage(Frame),
});
