export { type Hand, handsInTurn, keyboard, mouse, useHand } from '@gatehouse/testkit/browser';
