import { inLanguage } from '@gatehouse/ui/screen/in-language';
import { createRootRoute } from '@tanstack/react-router';
import { Frame } from './frame/frame.js';

export const rootRoute = createRootRoute({ component: inLanguage(Frame) });
