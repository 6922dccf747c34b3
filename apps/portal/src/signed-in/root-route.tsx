import { createRootRoute } from '@tanstack/react-router';
import { Frame } from './frame/frame.js';
import { inLanguage } from './screen/in-language.js';

export const rootRoute = createRootRoute({ component: inLanguage(Frame) });
