import { afterAll } from 'vitest';
import { closeSharedBrowser } from './open-browser.js';

afterAll(closeSharedBrowser);
