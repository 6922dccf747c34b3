import { expect, it } from 'vitest';
import { createRoomWatch } from './create-room-watch.js';

it('remembers that there was no room until a write succeeds ten seconds after the last that did not', () => {
  let nowMs = 0;
  const room = createRoomWatch(() => nowMs);
  room.wrote();
  expect(room.isFull()).toBe(false);
  room.refused();
  nowMs = 9_999;
  room.wrote();
  expect(room.isFull()).toBe(true);
  room.refused();
  nowMs = 12_000;
  room.wrote();
  expect(room.isFull()).toBe(true);
  nowMs = 19_999;
  room.wrote();
  expect(room.isFull()).toBe(false);
});
