export {
  flawsOfFirstVisits,
  latestPaint,
  measurePaint,
  median,
  type Paint,
} from './measure-paint.js';
export {
  closeSharedBrowser,
  collectComplaints,
  DESK,
  openBrowser,
  PHONE,
  type TestBrowser,
  takePicture,
} from './open-browser.js';
export { screenShown } from './screen-shown.js';
export { settle } from './settle.js';
export { findingsOfAxe, flawsOfLook } from './test/flaws-of-look.js';
export { flawsOfMail } from './test/flaws-of-mail.js';
export { type Hand, handsInTurn, keyboard, mouse, useHand } from './test/hands.js';
export { cut, flawsOfNames, NAMES, ODDEST_NAME } from './test/odd-names.js';
