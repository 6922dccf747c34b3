export { printFigures } from './print-figures.js';
export { rounds } from './rounds.js';
