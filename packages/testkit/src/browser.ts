export { collectComplaints } from './collect-complaints.js';
export { findingsOfAxe, flawsOfLook } from './flaws-of-look.js';
export { openBrowser, type TestBrowser } from './open-browser.js';
export { settle } from './settle.js';
