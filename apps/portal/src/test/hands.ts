export { type Hand, keyboard, mouse, useHand } from '@gatehouse/testkit/browser';
